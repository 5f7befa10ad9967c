/** Uploads files and inserts them into a page. */
import type { EditorView } from 'prosemirror-view'
import { api } from '../../api/api.ts'
import { sendUpload } from '../../api/uploads.ts'
import { t } from '../../words/words.ts'
import type { ContentFile } from '../../content/views/page-context.ts'
import { beginUpload, endUpload, insertUploaded } from './upload-places.ts'
import type { WritablePath } from '../../api/paths.ts'

/** The content that a page belongs to, and its organization. */
export interface Storage {
  /** The path of the content below `/v1`. */
  content: WritablePath
  organizationId: string
}

/** Uploads files, and inserts images, or links to other files, where the caret was when the upload began. */
export async function insertImages(
  view: EditorView,
  { files, ...storage }: Storage & { files: readonly File[] },
): Promise<void> {
  const upload = beginUpload(view)
  try {
    for (const file of await storeFiles(storage, files))
      if (!view.isDestroyed) insertUploaded(view, upload, file)
  } finally {
    if (!view.isDestroyed) endUpload(view, upload)
  }
}

/** So many files are uploaded at the same time. */
const AT_ONCE = 20

/** Uploads files, and adds them to the content. */
export async function storeFiles(
  { content, organizationId }: Storage,
  files: readonly File[],
): Promise<ContentFile[]> {
  const sent = await Promise.all(
    files.slice(0, AT_ONCE).map(async (file) => ({
      name: insertedFileName(file),
      contentType: file.type || 'application/octet-stream',
      upload: await uploadFile(organizationId, file),
    })),
  )
  const { insertedFiles = [] } = await api(`POST ${content}?compat=false`, {
    changes: [{ operation: 'insert_files', files: sent }],
  })
  if (files.length <= AT_ONCE) return insertedFiles
  return insertedFiles.concat(await storeFiles({ content, organizationId }, files.slice(AT_ONCE)))
}

/** Lets the writer choose files of the device. @param accept such as `image/*` */
export function chooseFiles(accept: string, take: (files: readonly File[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.multiple = true
  input.addEventListener('change', () => take([...(input.files ?? [])]))
  input.click()
}

/** The name of a file. Pictures from the clipboard all have the same one. */
function insertedFileName({ name, type: kind }: File): string {
  if (name !== '' && name !== 'image.png') return name.slice(-200)
  const ending = /^image\/(\w+)/.exec(kind)?.[1] ?? 'png'
  return `image-${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')}.${ending}`
}

/** Uploads the bytes. @returns the key of the upload */
async function uploadFile(organizationId: string, file: File): Promise<string> {
  const refused = t('editor.name-could-not-uploaded', { name: file.name })
  const upload = { kind: 'import_file', name: insertedFileName(file), refused } as const
  return (await sendUpload(organizationId, file, upload)).key
}
