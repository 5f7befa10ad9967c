/** Begins what a screen needs while its program is loaded: requests, and the parts of the program that come later. */
import { begin } from '../api/requests.ts'
import { beginWriting } from '../editor/saving/opening.ts'

const EDITED = /^\/app\/s\/([^/]+)\/~\/changes\/(\d+)\/edit(?:\/(.*))?$/

/** Begins what the screen at an address needs. @param address the path in the address of the tab */
export function beginScreen(address: string): void {
  begin('/user').catch(() => undefined)
  const [, spaceId, number = '', path = ''] = EDITED.exec(address) ?? []
  if (spaceId === undefined) return
  begin(`/spaces/${spaceId}`).catch(() => undefined)
  beginWriting({ spaceId, number }, path)
  void import('../features/editing/edit-screen.tsx')
  void import('../editor/page-editor.tsx')
}
