import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { t } from '../../words/words.ts'
import { drawFormula } from '../../content/views/draw-formula.ts'

/** The formula as readers will see it, or what is wrong with it, while it is typed. */
export function FormulaPreview({ formula, isDisplay }: { formula: string; isDisplay: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useDeferredValue(formula)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (!place.current || shown.trim() === '') {
      place.current?.replaceChildren()
      setProblem(undefined)
      return undefined
    }
    let isOver = false
    const drawn = document.createElement('span')
    const draw = async () => {
      const wrong = await drawFormula(drawn, shown, isDisplay)
      if (isOver) return
      setProblem(wrong)
      // A formula that is not finished leaves the last one that was.
      if (wrong === undefined) place.current?.replaceChildren(drawn)
    }
    void draw()
    return () => {
      isOver = true
    }
  }, [shown, isDisplay])
  return (
    <div className="formula-preview">
      <div ref={place} className="math" role="group" aria-label={t('editor.preview-formula')} tabIndex={0} />
      <p className="hint" role="status">
        {problem}
      </p>
    </div>
  )
}
