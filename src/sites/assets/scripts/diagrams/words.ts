import { pageWords } from '../kit/page-words.ts'

/** The words of diagrams. */
export const diagramWords = pageWords({
  showSource: 'Show source',
  hideSource: 'Hide source',
  diagram: 'Diagram',
  diagramText: '“Show source” gives its text',
  diagramFault: 'The browser could not draw this diagram:',
  diagramSlow: 'Drawing it takes too long.',
})
