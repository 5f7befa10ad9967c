/** What pages of DocFX have within lines: references by `uid`, paths from the root, and text of other files. */
import { because } from '../../../languages/reasons.ts'
import { printTitle } from '../../../document/print.ts'
import { decodeAddress } from '../../../text/file-paths.ts'
import { mapAddressesIn, mapOutsideCode } from '../../markdown/dialect.ts'
import type { NotUnderstood } from '../../markdown/not-understood.ts'

/** A page as a reference by its `uid` names it. */
export interface PageOfUid {
  /** Its address from the root of the archive. */
  address: string
  title: string
}

/** What the lines of a page refer to. */
export interface DocFxLinks {
  page(uid: string): PageOfUid | undefined
  /** The address of a path that begins in the root of the project. */
  inRoot(path: string): string
  /** The text of a file that is included within a line; undefined if it does not exist. */
  included(address: string): string | undefined
}

const XREF = /<xref:([^\s<>"]{1,500})>|@"([^"\n]{1,500})"|(?<![\w.@/`])@([A-Za-z_][\w.*`-]{0,300}\w)/g
const IN_LINE = /\[!include\s{0,9}\[[^[\]]{0,300}\]\s{0,9}\(([^()\s]{1,500})\)\s{0,9}\]/gi
const NO_LOSS = /:::no-loc\s{1,9}text="([^"\n]{0,500})":::/g

/** Rewrites a line that is not code. @param line of the file, from 1 */
export function docFxInline(text: string, links: DocFxLinks, line: number, unknown: NotUnderstood): string {
  const included = mapOutsideCode(text, (part) =>
    part.replace(NO_LOSS, '$1').replace(IN_LINE, (whole, address: string) => {
      const found = links.included(address)
      if (found === undefined)
        unknown.add(because('unknown-argument', { directive: '[!INCLUDE]', name: address }), line)
      return found ?? whole
    }),
  )
  const addressed = mapAddressesIn(included, (address) => docFxAddress(address, links, line, unknown))
  return mapOutsideCode(addressed, (part) =>
    part.replace(XREF, (whole, xref?: string, quoted?: string, bare?: string) => {
      const uid = uidOf(xref ?? quoted ?? bare ?? '')
      const page = links.page(uid)
      if (page) return `[${printTitle(page.title)}](<${page.address}>)`
      // A bare `@name` may be the name of a person.
      if (bare !== undefined) return whole
      unknown.add(because('unknown-reference', { name: uid }), line)
      return `\`${uid.replaceAll('`', '')}\``
    }),
  )
}

function docFxAddress(address: string, links: DocFxLinks, line: number, unknown: NotUnderstood): string {
  if (/^~[\\/]/.test(address)) return links.inRoot(address.slice(2))
  const written = /^(?:xref:|@)(.{1,500})$/i.exec(address)?.[1]
  if (written === undefined) return address
  const hash = written.indexOf('#')
  const uid = uidOf(hash === -1 ? written : written.slice(0, hash))
  const page = links.page(uid)
  if (page) return page.address + (hash === -1 ? '' : written.slice(hash))
  unknown.add(because('unknown-reference', { name: uid }), line)
  return address
}

/** A `uid` without the query and the escapes of an address. */
const uidOf = (written: string): string => decodeAddress(written.replace(/[?#].*$/s, ''))
