import type { FormatOptions } from 'icu-minify/format'

/** How ICU messages write dates, numbers and plurals. */
export const ICU_FORMATTING: FormatOptions = {
  formatters: {
    getDateTimeFormat: (locale, options) => new Intl.DateTimeFormat(locale, options),
    getNumberFormat: (locale, options) => new Intl.NumberFormat(locale, options),
    getPluralRules: (locale, options) => new Intl.PluralRules(locale, options),
  },
}
