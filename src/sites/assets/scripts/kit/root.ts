/** The root element. `data-theme` and the class `dismissed` are what the reader chose. */
export const root = document.documentElement
