/**
 * The script of the console's page in development: the console, or the page of its components. Both load anew when the
 * console or the server has changed.
 */
// The styles of both are in one file, in the order of these imports.
void (location.pathname !== '/app/~parts'
  ? import('../../src/console/app/program/main.tsx')
  : import('./parts/main.tsx'))

const changes = new EventSource('/app/~changes')
let server: string | undefined
changes.addEventListener('change', () => location.reload())
changes.addEventListener('server', ({ data }: MessageEvent<string>) => {
  if (server !== undefined && server !== data) location.reload()
  server = data
})
