/** Markdown files that are about a project, not a part of its documentation. */
import { folderOf, isBelow, isMarkdown, lastSegment } from '../text/file-paths.ts'

/** The names of files about a project, in any case. */
const ABOUT =
  /^(?:licen[cs]e|copying|change-?log|contributing|code[-_ ]of[-_ ]conduct|pull_request_template|issue_template)(?:[-_.][A-Za-z0-9]{1,20})?\.(?:md|markdown)$/i
/** Those that documentation also has as chapters, which begin with a small letter there. */
const ABOUT_IN_CAPITALS =
  /^(?:SECURITY|SUPPORT|AUTHORS|CONTRIBUTORS|MAINTAINERS|GOVERNANCE|HISTORY|CHANGES|RELEASES?|NOTICE|CODEOWNERS|FUNDING|CITATION|ROADMAP|AGENTS|CLAUDE)\.(?:md|markdown)$/

/** The files at the top of a repository that its folders would list as pages. */
export interface ProjectFiles {
  /** Pages that links lead to, but no navigation. */
  hidden: ReadonlySet<string>
  /** Pages for addresses that do not exist, which are not imported. */
  omitted: readonly string[]
}

/** Finds the files that are about a project. @param root the folder of the pages */
export function projectFiles(paths: readonly string[], root: string): ProjectFiles {
  const pages = paths.filter((path) => isMarkdown(path) && folderOf(path) === root)
  const omitted = pages.filter((path) => /^404\.\w+$/.test(lastSegment(path)))
  // The folder of a documentation has no files about its project, but chapters with such names.
  const isTop = root === '' || paths.every((path) => isBelow(path, root))
  const hidden = pages.filter((path) => {
    const name = lastSegment(path)
    return isTop && (ABOUT.test(name) || ABOUT_IN_CAPITALS.test(name))
  })
  return { hidden: new Set(hidden), omitted }
}
