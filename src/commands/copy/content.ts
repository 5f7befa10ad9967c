/** Copies the content of spaces: first their pages, files and reusable contents, then the texts, which refer to those by ids. */
import { importedArchive } from './content-archive.ts'
import { writeBodies } from './content-bodies.ts'
import { insertFiles, insertPages, insertReusables } from './content-insert.ts'
import { adoptContent } from './content-match.ts'
import { type Copying, isWhole, reportLabel, reading, writing } from './copying.ts'
import { placedPages, readContent } from './content-read.ts'
import { segment } from './json.ts'
import { closeSpace, contentStep, type CopiedSpace } from './places.ts'

/** Creates everything that a space contains, and notes the ids. The texts follow when all spaces have theirs. */
async function makeContent(copying: Copying, space: CopiedSpace): Promise<void> {
  const what = reportLabel('Space', space.title)
  const content = await reading(copying, what, () =>
    readContent(copying.source, `/spaces/${segment(space.id)}/content`),
  )
  if (!content) return
  const paths = await importedArchive(copying, space, content)
  const made = await writing(copying, what, () =>
    readContent(copying.target, `/spaces/${segment(space.target)}/content`),
  )
  if (!made) return
  adoptContent(copying.journal, space.id, { content, made, paths })
  await insertFiles(copying, space, content.files)
  await insertReusables(copying, space, content.reusables)
  await insertPages(copying, space, placedPages(content.pages))
}

/** Writes the texts of a space, with the ids of the target. */
async function writeContent(copying: Copying, space: CopiedSpace): Promise<void> {
  const what = reportLabel('Space', space.title)
  const content = await reading(copying, what, () =>
    readContent(copying.source, `/spaces/${segment(space.id)}/content`),
  )
  if (content) await writeBodies(copying, space, content)
}

/** Copies the content of spaces. A space whose content is complete is left as it is, although the source may have changed. */
export async function copyContents(copying: Copying, spaces: readonly CopiedSpace[]): Promise<void> {
  const open = spaces.filter(({ id }) => !copying.journal.isDone(contentStep(id)))
  const whole = new Set(open)
  for (const work of [makeContent, writeContent])
    for (const space of open) if (!(await isWhole(copying, () => work(copying, space)))) whole.delete(space)
  for (const space of open) {
    await closeSpace(copying, space)
    if (whole.has(space)) copying.journal.done(contentStep(space.id))
  }
}
