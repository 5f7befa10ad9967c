import { mapAddresses } from './map-addresses.ts'

const NAMED = /^\.\/([\w-]+)(\.md)?(#.*)?$/

/**
 * The source with addresses `./name`, `./name.md` and `./name#anchor` replaced where `to` knows the name. Every other
 * byte is kept, and so is everything in code.
 */
export function relink(source: string, to: (name: string, isPage: boolean) => string | undefined): string {
  return mapAddresses(source, (written) => {
    const [named, name = '', extension, anchor = ''] = NAMED.exec(written) ?? []
    if (named === undefined) return undefined
    const address = to(name, extension !== undefined || anchor !== '')
    return address === undefined ? undefined : address + anchor
  })
}
