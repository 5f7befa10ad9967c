import { type Html, html } from '../../core/text/html.ts'
import { uqr } from '../../core/runtime/libraries.ts'

/** The empty border that scanners need, in modules (ISO/IEC 18004, section 9.1). */
const QUIET_ZONE = 4

/** Draws a text as a QR code: an SVG image without styles, which the policy of the pages allows. @param label for screen readers */
export function renderQrCode(text: string, label: string): Html {
  const { data, size } = uqr().encode(text, { ecc: 'M', border: QUIET_ZONE })
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z" /><path fill="#000" d="${darkPath(data)}" /></svg>`
}

/** A rectangle for each run of dark modules in a row. */
function darkPath(rows: readonly (readonly boolean[])[]): string {
  let path = ''
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x += 1
      const width = x + 1 - start
      path += `M${start} ${y}h${width}v1h-${width}z`
    }
  return path
}
