import type { Services } from '../http/route.ts'
import { abandonImport, endImport } from '../model/content/documents/imported-document.ts'
import type { Worker } from './queue/job-kind.ts'

/** Ends an import hours after it began: if it was interrupted or refused, deletes the documents that it left. */
export function endImports({ db }: Pick<Services, 'db'>): Worker {
  return async ({ id }: { id: string }) => {
    const isAbandoned = await db.write((tx) => abandonImport(tx, id))
    if (isAbandoned === undefined) return
    while (await db.write((tx) => endImport(tx, id, isAbandoned))) {
      // Each transaction is short, so that others come in between.
    }
  }
}
