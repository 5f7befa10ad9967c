/** The script of the console's page in development: the console, which loads anew when it or the server has changed. */
// oxlint-disable-next-line import/no-unassigned-import
import '../../src/console/app/program/main.tsx'

const changes = new EventSource('/app/~changes')
let server: string | undefined
changes.addEventListener('change', () => location.reload())
changes.addEventListener('server', ({ data }: MessageEvent<string>) => {
  if (server !== undefined && server !== data) location.reload()
  server = data
})
