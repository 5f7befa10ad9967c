/** The query of an address, without the question mark before it. Further question marks belong to it. */
export function queryIn(address: string): string {
  const at = address.indexOf('?')
  return at === -1 ? '' : address.slice(at + 1)
}
