/** Sends files of the device to the server. */
import { api, ApiFault } from './requests.ts'

/** An upload that the server has whole: its address to import from, and the key that other requests name. */
interface SentUpload {
  url: string
  key: string
}

/**
 * Announces and sends a file.
 * @param refused what a person reads if the server does not take the file
 * @throws ApiFault
 */
export async function sendUpload(
  organizationId: string,
  file: File,
  {
    kind,
    name = file.name,
    refused,
    signal,
  }: { kind: 'import_file' | 'customization_font'; name?: string; refused: string; signal?: AbortSignal },
): Promise<SentUpload> {
  const type = file.type || 'application/octet-stream'
  const { url, key } = await api(`POST /orgs/${organizationId}/storage/upload`, {
    kind,
    file: { name, type, size: file.size },
  })
  // The server may name itself differently from the address that the browser uses.
  const { pathname, search } = new URL(url)
  const answer = await fetch(pathname + search, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
    ...(signal ? { signal } : {}),
  })
  if (!answer.ok) throw new ApiFault(answer.status, { message: refused })
  return { url, key }
}
