// SPDX-License-Identifier: Apache-2.0
// Compares the page's sealing with the protocol's vectors: a function for a page of a node, or for Node.js. It returns
// a sentence for each difference.
async ({ chunk, sealing: boxes, modules }) => {
    const sealing = await import(`${modules}/sealing.js`);
    const chacha = await import(`${modules}/chacha.js`);
    const { nacl } = globalThis;
    const { hex } = sealing;
    const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const problems = [];
    const compare = (about, what, found, expected) => {
        if (found !== expected) problems.push(`${about}: ${what} is ${found}, not ${expected}`);
    };
    for (const vector of chunk) {
        const { about, expect } = vector;
        if (vector.importSecret) {
            const plaintext = Uint8Array.from({ length: vector.byteCount }, (_, i) => 7 * i + Math.floor(i / 256));
            const blob = await sealing.sealBlob(nacl, new Blob([plaintext]), sealing.blobClasses[vector.blobClass],
                unhex(vector.importSecret));
            const ciphertext = new Uint8Array(await new Blob(blob.ciphertext).arrayBuffer());
            compare(about, "hash of the plaintext", hex(blob.plaintextHash), vector.plaintextHash);
            compare(about, "key", hex(blob.key), vector.key);
            compare(about, "hashes", blob.hashes.map(hex).join(), vector.chunkHashes.join());
            compare(about, "root", hex(blob.root), vector.root);
            compare(about, "start", hex(ciphertext.subarray(0, vector.firstCiphertextBytes.length / 2)), vector.firstCiphertextBytes);
            compare(about, "tag", hex(ciphertext.subarray(-16)), vector.lastTag);
            compare(about, "opened", hex(sealing.openBlob(nacl, ciphertext, blob.key) ?? []), hex(plaintext));
        } else {
            const nonce = new Uint8Array(12);
            new DataView(nonce.buffer).setUint32(7, vector.index);
            nonce[11] = vector.isLast ? 1 : 0;
            const opened = chacha.open(nacl, unhex(vector.ciphertext), unhex(vector.key), nonce);
            compare(about, "opened", opened && hex(opened), expect === "success" ? vector.plaintext : null);
        }
    }
    for (const vector of boxes.filter((one) => one.importSecret)) {
        const [secret, root, recipient] = [vector.importSecret, vector.root, vector.publicKey].map(unhex);
        const sealed = sealing.sealKey(nacl, unhex(vector.plaintext), secret, root, recipient);
        compare(vector.about, "box", hex(sealed), vector.sealed);
        compare(vector.about, "opened", hex(sealing.openKey(nacl, sealed, secret, root, recipient) ?? []), vector.plaintext);
        sealed[40] ^= 1;
        compare(vector.about, "a damaged one", sealing.openKey(nacl, sealed, secret, root, recipient), null);
    }
    return problems;
}
