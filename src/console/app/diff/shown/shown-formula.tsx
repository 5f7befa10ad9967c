import { useEffect, useRef, useState } from 'react'
import { drawFormula } from '../../content/views/draw-formula.ts'
import { element } from '../../ui/element.ts'

/** A formula as readers see it; its source until it is drawn, or if it cannot be. */
export function ShownFormula({ formula, isDisplay = false }: { formula: string; isDisplay?: boolean }) {
  const place = useRef<HTMLSpanElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    let isOver = false
    const drawn = element('span')
    const draw = async () => {
      const problem = await drawFormula(drawn, formula, isDisplay)
      if (isOver) return
      place.current?.replaceChildren(drawn)
      setDrawn(problem === undefined)
    }
    void draw()
    return () => {
      isOver = true
    }
  }, [formula, isDisplay])
  return (
    <>
      <span ref={place} />
      {!isDrawn && <code>{formula}</code>}
    </>
  )
}
