/** What a list measures of itself: the space that it has, and the width of what its columns hold. */
import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import style from '../DataTable.module.css'
import type { Column } from './columns.ts'

/** Whether the box is scrolled away from its first column, and whether something lies beyond its right edge. */
export function useSideways(
  scroller: RefObject<HTMLDivElement | null>,
  table: RefObject<HTMLTableElement | null>,
  /** Is given the width of the box in pixels whenever that changes. */
  setWidth: (width: number) => void,
): { scrolled: boolean; more: boolean } {
  const [scrolled, setScrolled] = useState(false)
  const [more, setMore] = useState(false)
  // The outside system is the box, whose width and place nothing else says.
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const moved = () => {
      setScrolled(box.scrollLeft > 0)
      setMore(box.scrollLeft + box.clientWidth < box.scrollWidth - 1)
    }
    // It looks for the first time as soon as it is laid out, which costs no layout of its own.
    const sized = new ResizeObserver(() => {
      setWidth(box.clientWidth)
      moved()
    })
    sized.observe(box)
    if (table.current) sized.observe(table.current)
    box.addEventListener('scroll', moved, { passive: true })
    return () => {
      sized.disconnect()
      box.removeEventListener('scroll', moved)
    }
  }, [scroller, table, setWidth])
  return { scrolled, more }
}

/** Pixels of the widest content of a column, and of its title. */
interface Content {
  content: number
  title: number
}

/** What columns hold by list, language and size of letters, for the next time that the list is opened. */
const remembered = new Map<string, ReadonlyMap<string, Content>>()

/**
 * The width of the box in pixels (0 before it is known), and what each column holds among the rows that were drawn; undefined until all of
 * `columns` are known. `measure` looks at both at once, which lays the table out one time less, and a column only ever grows.
 */
export function useWidths<R>(
  list: string,
  columns: readonly Column<R>[],
  scroller: RefObject<HTMLDivElement | null>,
  table: RefObject<HTMLTableElement | null>,
): {
  width: number
  setWidth: (width: number) => void
  content: ReadonlyMap<string, Content> | undefined
  measure: () => void
} {
  const phone = useMediaQuery('(max-width: 48em)', window.matchMedia('(max-width: 48em)').matches)
  const name = `${document.documentElement.lang}:${phone ? 'large' : 'small'}:${list}`
  const [width, setWidth] = useState(0)
  const [seen, setSeen] = useState(() => ({ name, widths: remembered.get(name) ?? none }))
  const widths = seen.name === name ? seen.widths : (remembered.get(name) ?? none)
  const measure = useCallback(() => {
    if (!table.current || !scroller.current) return
    const found = contentOf(table.current, scroller.current)
    setWidth(found.available)
    const before = remembered.get(name) ?? none
    const grown = [...found.widths].filter(([key, { content }]) => content > (before.get(key)?.content ?? 0))
    if (grown.length === 0) return
    const next = new Map([...before, ...grown])
    remembered.set(name, next)
    setSeen({ name, widths: next })
  }, [name, scroller, table])
  // Another choice of columns brings some that were never drawn.
  useEffect(() => {
    if (!columns.every(({ key }) => remembered.get(name)?.has(key))) measure()
  }, [columns, name, measure])
  // The browser reports that a window has become narrow before the larger letters apply: what was read then is read again.
  useEffect(() => {
    if (!phone) return
    const again = setTimeout(measure, 100)
    return () => clearTimeout(again)
  }, [phone, measure])
  return { width, setWidth, content: columns.every(({ key }) => widths.has(key)) ? widths : undefined, measure }
}
const none: ReadonlyMap<string, Content> = new Map()

/** Lets each column be as wide as what it holds for a moment, and reads how wide that is. Nothing of it is painted. */
function contentOf(table: HTMLTableElement, box: HTMLElement): { widths: Map<string, Content>; available: number } {
  const sized = [table, ...table.querySelectorAll('col')].map(element => ({ element, styles: element.style.cssText }))
  for (const { element } of sized) element.style.cssText = ''
  const { className } = table
  table.className = `${className} ${style.measured}`
  const heads = table.querySelectorAll<HTMLElement>('thead th[data-column]')
  const words = document.createRange()
  const widths = new Map(
    [...heads].map(head => {
      words.selectNodeContents(head)
      // The rule that is dragged stands last.
      if (head.lastElementChild) words.setEndBefore(head.lastElementChild)
      const { paddingLeft, paddingRight } = getComputedStyle(head)
      const title = words.getBoundingClientRect().width + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
      return [head.dataset.column ?? '', { content: Math.ceil(head.getBoundingClientRect().width), title: Math.ceil(title) }]
    }),
  )
  const available = box.clientWidth
  table.className = className
  for (const { element, styles } of sized) element.style.cssText = styles
  return { widths, available }
}
