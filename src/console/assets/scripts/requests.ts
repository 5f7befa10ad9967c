/** Sends JSON to this server. @throws Error with the message of the server */
export async function postJson<T>(path: string, body: object): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const content = (await response.json()) as { error?: { message?: string } }
  if (response.ok) return content as T
  throw new Error(content.error?.message ?? document.querySelector('main')?.dataset.failed)
}
