import { type ReactNode, useId } from 'react'
import { language } from '../../../src/console/app/words/words.ts'

/** A text of a sample in the language of the page. These texts are not in the console, so its catalogues lack them. */
export const say = (english: string, chinese: string): string =>
  language.startsWith('zh') ? chinese : english

/** A component in one state. @param name of the component, and of its state */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="parts-sample" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <div className="parts-shown">{children}</div>
    </section>
  )
}
