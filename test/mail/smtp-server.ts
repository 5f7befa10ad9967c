/** A mail server for tests. It is plain, offers STARTTLS or begins with TLS, and refuses some addresses. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'

/** An authority that nobody trusts by itself. */
export const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBijCCAS+gAwIBAgIUUpKHjG9yWlV6KC/+xq532IxbDwYwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI4MTgzNTMxWhgPMjEy
NjExMDQxODM1MzFaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE6dJL9lUe9nBVTpmCXtpfy7/biEbMDgz5fBqNN3w+
SmMRgyhW+xillW3V0mnFH94cdOmKZXRttjTjpQvc06St6qNTMFEwHQYDVR0OBBYE
FFZ7ctlF4wbhGUzG1LrrBdz3eN8rMB8GA1UdIwQYMBaAFFZ7ctlF4wbhGUzG1Lrr
Bdz3eN8rMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAKFetjfX
2H0KRh+N3KxeVRnwHoevVUDBI6NBjNbsa5nQAiEAsJfcntMgv0K9Nxc6e4FKpnoB
aTmpxld3qkhAIUEXzQw=
-----END CERTIFICATE-----
`
/** The certificate of the server, for localhost and 127.0.0.1. It is valid until the year 2126. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBjzCCATWgAwIBAgIUKvRtOIdJhBan9JufNfbTLNIxNlcwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI4MTgzNTMxWhgPMjEy
NjExMDQxODM1MzFaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEG
CCqGSM49AwEHA0IABAQ6GOadBkfmEGMQPACirdVh11usFdctA7wrCF207to0ewkq
6Eri5S5wivNJtmD48haI2MN//o4b8eWiEqzBpkajXjBcMBoGA1UdEQQTMBGCCWxv
Y2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUmP2x3cnlsIg0olGVLpVxNpNcz9cwHwYD
VR0jBBgwFoAUVnty2UXjBuEZTMbUuusF3Pd43yswCgYIKoZIzj0EAwIDSAAwRQIh
ANrCswPQkbBype5r1DntEkmVrxS+plfyU0D2QJzuIB8CAiAy4MEPNfJc6lkIWTda
SxbU/4WCn6f2Oy2nRsGoLbRaJg==
-----END CERTIFICATE-----
`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPWxVeJoOZjWVfVTA
FbxCMEfGx6ZZhdTxBRFjIoTF4NGhRANCAAQEOhjmnQZH5hBjEDwAoq3VYddbrBXX
LQO8KwhdtO7aNHsJKuhK4uUucIrzSbZg+PIWiNjDf/6OG/HlohKswaZG
-----END PRIVATE KEY-----
`

export interface TestMailServer {
  port: number
  /** Each command, with `TLS ` before those that were encrypted. */
  commands: string[]
  /** From now on, accepts an address that it refuses. */
  accepts(address: string): void
  close(): void
}

/** Starts the server. @param kind plain, with STARTTLS, or with TLS from the first byte */
export async function startMailServer(kind: 'plain' | 'starttls' | 'implicit'): Promise<TestMailServer> {
  const commands: string[] = []
  const open = new Set<Socket>()
  const accepted = new Set<string>()
  const serve = (socket: Socket, isSecure: boolean, greets: boolean) => {
    let inLetter = false
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    if (greets) socket.write('220 test\r\n')
    socket.on('data', (chunk: string) => {
      if (inLetter) {
        if (!chunk.endsWith('\r\n.\r\n')) return
        inLetter = false
        socket.write('250 taken\r\n')
        return
      }
      for (const line of chunk.split('\r\n').filter(Boolean)) {
        commands.push(isSecure ? `TLS ${line}` : line)
        if (line === 'DATA') inLetter = true
        if (line === 'STARTTLS' && kind === 'starttls') {
          socket.write('220 go on\r\n')
          socket.removeAllListeners('data')
          const secure = new TLSSocket(socket, { isServer: true, cert: CERTIFICATE, key: KEY })
          serve(secure, true, false)
          return
        }
        const address = /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? ''
        const answer = accepted.has(address) ? '250 ok' : answerTo(line, kind === 'starttls' && !isSecure)
        socket.write(`${answer}\r\n`)
      }
    })
  }
  const take = (socket: Socket) => {
    open.add(socket)
    serve(socket, kind === 'implicit', true)
  }
  const server =
    kind === 'implicit' ? createTlsServer({ cert: CERTIFICATE, key: KEY }, take) : createServer(take)
  server.on('tlsClientError', () => undefined)
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  return {
    port,
    commands,
    accepts: (address) => void accepted.add(address),
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function answerTo(line: string, offersTls: boolean): string {
  if (line.startsWith('EHLO'))
    return ['250-test', ...(offersTls ? ['250-STARTTLS'] : []), '250 AUTH PLAIN'].join('\r\n')
  if (line.startsWith('AUTH')) return '535 wrong password'
  if (line.startsWith('RCPT TO:<unknown@')) return '550 no such user'
  if (line.startsWith('RCPT TO:<busy@')) return '450 mailbox busy'
  if (line.startsWith('MAIL FROM:<forbidden@')) return '550 not your address'
  if (line === 'DATA') return '354 go on'
  return line === 'QUIT' ? '221 bye' : '250 ok'
}
