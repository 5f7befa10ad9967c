import { once } from 'node:events'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { S3Options } from '../../src/blobs/s3.ts'

/** A local S3 service with one bucket, for tests. The package has no types. */
export interface S3Server {
  options: S3Options
  close(): Promise<void>
}

interface S3rver {
  run(): Promise<AddressInfo>
  httpServer: Server
}

const require = createRequire(import.meta.url)
const S3rver = require('s3rver') as new (options: object) => S3rver

/** Starts the service on a free port. It stores its objects in `directory`. */
export async function startS3(directory: string): Promise<S3Server> {
  const configureBuckets = [{ name: 'docs', configs: [] }]
  const service = new S3rver({ directory, address: '127.0.0.1', port: 0, silent: true, configureBuckets })
  const { port } = await service.run()
  const endpoint = `http://127.0.0.1:${port}`

  return {
    options: {
      endpoint,
      region: 'us-east-1',
      bucket: 'docs',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    async close() {
      const closed = once(service.httpServer, 'close')
      service.httpServer.close()
      service.httpServer.closeAllConnections()
      await closed
    },
  }
}
