// SPDX-License-Identifier: Apache-2.0
// Files that wait for their upload, in IndexedDB, so that uploads continue after a reload. Phones lose or refuse large
// blobs there; every browser stores small pieces of plain bytes. Without storage, everything else works.

/** Bytes of a piece. */
const pieceSize = 512 * 1024;
/** The limit of bytes of all stored files together. */
export const keptLimit = 200e6;

/** @type {Promise<IDBDatabase|null>|null} */
let opening = null;

/** @returns {Promise<IDBDatabase|null>} `null` if the browser stores nothing */
function database() {
    opening ??= new Promise((resolve) => {
        try {
            const request = indexedDB.open("disposable", 1);
            request.onupgradeneeded = () => request.result.createObjectStore("piece");
            request.onsuccess = () => resolve(request.result);
            request.onerror = request.onblocked = () => resolve(null);
        } catch {
            resolve(null);
        }
    });
    return opening;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

/**
 * The key range of all pieces of one file.
 * @param {string} id
 */
const all = (id) => IDBKeyRange.bound([id], [id, []]);

/** Whether this browser stores files at all. */
export const canKeep = async () => await database() !== null;

/**
 * Stores a copy of a file.
 * @param {string} id
 * @param {Blob} file
 * @param {() => boolean} isWanted called before every piece
 * @returns {Promise<boolean>} whether all of it is stored; if not, nothing is
 */
export async function keep(id, file, isWanted) {
    const store = await database();
    if (!store) return false;
    try {
        for (let start = 0; start < file.size; start += pieceSize) {
            if (!isWanted()) throw new Error("no longer wanted");
            const bytes = await file.slice(start, start + pieceSize).arrayBuffer();
            const transaction = store.transaction("piece", "readwrite");
            const written = new Promise((resolve, reject) => {
                transaction.oncomplete = resolve;
                transaction.onabort = transaction.onerror = () => reject(transaction.error);
            });
            transaction.objectStore("piece").put(bytes, [id, start / pieceSize]);
            await written;
        }
        return true;
    } catch {
        await forget(id);
        return false;
    }
}

/**
 * @param {string} id
 * @param {number} start
 * @param {number} end
 * @returns {Promise<Blob>} the bytes; throws if they are no longer here
 */
export async function read(id, start, end) {
    const store = await database();
    if (!store) throw new Error("nothing is kept");
    const first = Math.floor(start / pieceSize);
    const last = Math.ceil(end / pieceSize);
    const pieces = await answer(store.transaction("piece").objectStore("piece")
        .getAll(IDBKeyRange.bound([id, first], [id, last], false, true)));
    if (pieces.length !== last - first) throw new Error("a piece is missing");
    return new Blob(pieces).slice(start - first * pieceSize, end - first * pieceSize);
}

/** @param {string} id */
export async function forget(id) {
    const store = await database();
    try {
        if (store) await answer(store.transaction("piece", "readwrite").objectStore("piece").delete(all(id)));
    } catch { /* the next start tries again */ }
}

/**
 * Deletes every file but these.
 * @param {() => Set<string>} wanted called once it is known which files are here: one may just have been added
 */
export async function forgetAllBut(wanted) {
    const store = await database();
    if (!store) return;
    try {
        const keys = await answer(store.transaction("piece").objectStore("piece").getAllKeys());
        const found = new Set(keys.map((key) => String(/** @type {any[]} */ (key)[0])));
        const ids = wanted();
        for (const id of found) if (!ids.has(id)) await forget(id);
    } catch { /* the next start tries again */ }
}
