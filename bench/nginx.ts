import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answering, end, freePort, SERVER_CORE } from './measure.ts'

/**
 * Starts nginx with one worker on the core of the servers; it serves a folder.
 * @param location directives for all its files, such as `gzip on;`
 */
export async function startNginx(root: string, location = ''): Promise<{ url: string } & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-nginx-'))
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `worker_processes 1; daemon off; user root; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
      include /etc/nginx/mime.types; default_type text/html;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      server { listen 127.0.0.1:${port}; root ${root}; location / { ${location} } }
    }`,
  )
  const child = spawn('taskset', ['-c', SERVER_CORE, 'nginx', '-c', config, '-e', `${folder}/error.log`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await answering(url)
  return {
    url,
    async [Symbol.asyncDispose]() {
      await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
