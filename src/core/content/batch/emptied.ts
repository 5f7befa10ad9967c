import { editFrontMatter, frontMatterEnd, readFrontMatter } from '../../document/front-matter/front-matter.ts'

/** The source of a page without its body. Front matter stays, with the title that a heading may have held. */
export function emptiedSource({ title, source }: { title: string; source: string }): string {
  if (!hasFrontMatter(source)) return ''
  const front = source.slice(0, frontMatterEnd(source))
  return readFrontMatter(front).title === undefined ? front : editFrontMatter(front, { title })
}

/** Whether a source begins with front matter. */
export function hasFrontMatter(source: string): boolean {
  return frontMatterEnd(source) > (source.startsWith('\ufeff') ? 1 : 0)
}
