/** The values of a field for several values. */
export const splitList = (text: string) => text.split(',').map((one) => one.trim())
