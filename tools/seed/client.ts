/** Requests to the API of a running server, by one person. */
export interface Client {
  /** Sends a request such as `POST /v1/orgs`. @returns the body @throws Error if the server refuses it */
  (request: string, body?: unknown): Promise<Body>
}

// The seed reads only the fields that the API describes.
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any

export function clientOf(url: string, token?: string): Client {
  return async (request, body) => {
    const [method = '', path = ''] = request.split(' ')
    const isBytes = body instanceof Uint8Array
    const response = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && {
          'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${request}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
