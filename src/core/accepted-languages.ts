/** So much of a header is read, because a client can send any text. */
const LONGEST_ACCEPTED = 500

/** The tags of an `Accept-Language` header in lower case, the preferred ones first (RFC 9110, 12.5.4). */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, LONGEST_ACCEPTED)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((one) => one.startsWith('q='))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
