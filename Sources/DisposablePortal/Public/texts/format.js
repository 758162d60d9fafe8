// SPDX-License-Identifier: Apache-2.0
// Numbers, dates and plurals of one language, by the browser's tables (Intl).

/** Minutes and seconds, as 4:05. @param {number} wait milliseconds */
export function minutesOf(wait) {
    const seconds = Math.ceil(wait / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * @param {string} language a BCP 47 tag
 * @param {[string, string, string]} units of thousands, millions and billions of bytes
 */
export function formats(language, [kilo, mega, giga]) {
    // The region of the browser's language determines the format of days and hours.
    const locale = (navigator.languages ?? []).find((tag) => tag.toLowerCase().split("-")[0] === language) ?? language;
    const plurals = new Intl.PluralRules(language);
    const integer = new Intl.NumberFormat(locale);
    const tenth = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const shortTime = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
    const dayAndTime = new Intl.DateTimeFormat(locale,
        { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
    const longDay = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" });
    const period = new Intl.DateTimeFormat(locale,
        { weekday: "short", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
    const farDayAndTime = new Intl.DateTimeFormat(locale,
        { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
    const numericDay = new Intl.DateTimeFormat(locale, { day: "2-digit", month: "2-digit", year: "numeric" });
    const space = "\u00a0";
    return {
        /** @param {number} count @param {string} one @param {string} many */
        count: (count, one, many) => `${integer.format(count)} ${plurals.select(count) === "one" ? one : many}`,
        /** @param {number} number */
        number: (number) => integer.format(number),
        /** @param {number} bytes */
        size: (bytes) => bytes < 1e6 ? `${integer.format(Math.max(bytes ? 1 : 0, Math.round(bytes / 1e3)))}${space}${kilo}`
            : bytes < 1e7 ? `${tenth.format(bytes / 1e6)}${space}${mega}`
            : bytes < 1e9 ? `${integer.format(Math.round(bytes / 1e6))}${space}${mega}`
            : `${tenth.format(bytes / 1e9)}${space}${giga}`,
        /** @param {number} ms the time of day, with the day unless it is today */
        time: (ms) => new Date(ms).toDateString() === new Date().toDateString() ? shortTime.format(ms)
            : dayAndTime.format(ms),
        /** @param {number} ms the day and the time, with the year if it is far away */
        moment: (ms) => (Math.abs(ms - Date.now()) > 300 * 86_400_000 ? farDayAndTime : dayAndTime).format(ms),
        /** @param {number} ms the day of the week and of the month */
        day: (ms) => longDay.format(ms),
        /** @param {number} from @param {number} to milliseconds; the days and times of an interval */
        range: (from, to) => period.formatRange(from, to),
        /** @param {number} cents @param {string} currency as in ISO 4217 */
        money: (cents, currency) => new Intl.NumberFormat(locale, { style: "currency", currency }).format(cents / 100),
        /** @param {number} ms the time of day */
        clock: (ms) => shortTime.format(ms),
        /** @param {number} ms the day in digits, such as 02/19/2024 */
        date: (ms) => numericDay.format(ms),
        /** @param {number} ms the time of day as 10h30 */
        hours: (ms) => [new Date(ms).getHours(), new Date(ms).getMinutes()].map((part) => String(part).padStart(2, "0")).join("h"),
        /** The tag of the region's formats, such as "en-GB". */
        locale,
    };
}
