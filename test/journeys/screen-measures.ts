/** What can be measured of a screen: its main actions, sizes, weights, distances and rows, and words that are cut or lie over others. */
import type { Page } from 'playwright-core'

/** Pixels of the design system; a floor screen has sizes of its own that follow the window. */
const scales = { desk: [12, 13, 14, 16, 20, 28, 40], phone: [12, 13, 14, 16, 18, 20, 22, 28, 40] } as const
const weights = [400, 500, 600, 700]
/** Distances between things: the grid of 4 pixels, and the half step inside badges. */
const gaps = [0, 1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 96]
export interface Room {
  /** How far down the first row of a list may begin: title, tabs or views, chips of filters, head. */
  firstRow?: number
  /** How many rows of a list fit at least. */
  rows?: number
  /** How many rows of tabs and views stand above each other. */
  bars?: number
}

/** Sentences about what breaks a rule; none where all is well. `floor` screens are read from a distance and only held to the least size. */
export async function measures(
  page: Page,
  { floor = false, firstRow = 204, rows = 18, bars = 1 }: Room & { floor?: boolean } = {},
): Promise<string[]> {
  const found = await page.evaluate(() => {
    const nameOf = (element: Element) => `<${element.tagName.toLowerCase()}> “${(element.textContent ?? '').trim().slice(0, 40)}”`
    const top = document.querySelector('[role="dialog"]:not([aria-hidden="true"])') ?? document.body
    // A button that names no variant is filled, and the library writes no attribute then.
    const filled = [
      ...top.querySelectorAll('main .mantine-Button-root, main .mantine-ActionIcon-root, [role="dialog"] .mantine-Button-root'),
    ].filter(
      element =>
        (element.getAttribute('data-variant') ?? (element.matches('.mantine-Button-root') ? 'filled' : '')) === 'filled' &&
        element.checkVisibility(),
    )
    const texts: { name: string; size: number; weight: number }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement } = node
      if (!node.textContent?.trim() || !parentElement?.checkVisibility() || parentElement.closest('script, style, svg, [data-figure]'))
        continue
      const { fontSize, fontWeight } = getComputedStyle(parentElement)
      texts.push({ name: nameOf(parentElement), size: Number.parseFloat(fontSize), weight: Number(fontWeight) })
    }
    const spaced = [...document.querySelectorAll('main *, [role="dialog"] *')].flatMap(element => {
      const { display, rowGap, columnGap } = getComputedStyle(element)
      if (!/flex|grid/.test(display) || !element.checkVisibility() || element.closest('svg, canvas')) return []
      return [rowGap, columnGap].filter(gap => gap.endsWith('px')).map(gap => ({ name: nameOf(element), gap: Number.parseFloat(gap) }))
    })
    const list = document.querySelector('main table[role="grid"]')
    const row = list?.querySelector('tbody tr')?.getBoundingClientRect()
    const box = list?.closest('[class*="scroll"]')?.getBoundingClientRect()
    const bars = [...document.querySelectorAll('main [role="tablist"], main nav')].filter(
      element => element.checkVisibility() && element.querySelector('a, button') && element.getBoundingClientRect().width > 200,
    )
    const sunken = document.body.appendChild(document.createElement('i'))
    sunken.style.background = 'var(--sunken)'
    const { backgroundColor } = getComputedStyle(sunken)
    sunken.remove()
    const quiet = [...document.querySelectorAll('.mantine-Input-wrapper[data-variant="default"] .mantine-Input-input')].filter(box => {
      const field = box.matches('input, textarea') ? box : box.querySelector('input:not([type="hidden"])')
      const isRead = field?.matches(':disabled, :read-only') ?? true
      return !isRead && box.checkVisibility() && getComputedStyle(box).backgroundColor === backgroundColor
    })
    // What stays at the lower edge while the page moves beneath it needs a ground of its own.
    const bare = [...document.querySelectorAll('main *')].filter(element => {
      const { position, bottom, backgroundColor } = getComputedStyle(element)
      return (
        position === 'sticky' &&
        bottom !== 'auto' &&
        /, 0\)$/.test(backgroundColor) &&
        element.textContent?.trim() &&
        element.checkVisibility()
      )
    })
    return {
      filled: filled.map(nameOf),
      bare: bare.map(nameOf),
      quiet: quiet.map(box => box.closest('.mantine-InputWrapper-root')?.querySelector('label')?.textContent ?? nameOf(box)),
      texts,
      spaced,
      bars: bars.map(bar => bar.getAttribute('aria-label') ?? nameOf(bar)),
      rows: row && { top: row.top, fit: ((box?.bottom ?? window.innerHeight) - row.top) / row.height, whole: box ? box.bottom : 0 },
    }
  })
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 }
  const phone = width <= 768
  const faults: string[] = []
  if (found.filled.length > 1) faults.push(`${found.filled.length} main buttons: ${found.filled.join(', ')}`)
  if (found.bare.length > 0) faults.push(`it floats without a ground: ${found.bare.join(', ')}`)
  if (found.bars.length > bars) faults.push(`${found.bars.length} rows of tabs: ${found.bars.join(', ')}`)
  if (found.rows && !floor && width >= 1440 && height >= 900) {
    if (found.rows.top > firstRow) faults.push(`the first row begins at ${found.rows.top} px`)
    // A list that shares its page with something else is as high as its rows.
    if (found.rows.whole > height - 80 && found.rows.fit < rows) faults.push(`${found.rows.fit.toFixed(1)} rows fit`)
  }
  for (const name of found.quiet) faults.push(`a field that can be changed looks as if it could not: ${name}`)
  const scale: readonly number[] = phone ? scales.phone : scales.desk
  for (const { name, size, weight } of found.texts) {
    if (!floor && !scale.some(one => Math.abs(one - size) < 0.1)) faults.push(`${size} px is not on the scale: ${name}`)
    if (floor && size < 12) faults.push(`${size} px is too small: ${name}`)
    if (!weights.includes(weight)) faults.push(`weight ${weight}: ${name}`)
  }
  if (!floor)
    for (const { name, gap } of found.spaced) if (!gaps.some(one => Math.abs(one - gap) < 0.1)) faults.push(`a gap of ${gap} px: ${name}`)
  return [...new Set([...faults, ...(await cutWords(page))])]
}

/** Words that end at an edge before their end, and words that lie over other words. */
export async function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (text: string | null) => `“${(text ?? '').trim().slice(0, 40)}”`
    const faults: string[] = []
    const shown: { text: string; parent: Element; box: DOMRect }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (!node.textContent?.trim() || !parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      if (parent.closest('script, style, svg, option, [aria-hidden="true"]')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      range.selectNodeContents(node)
      let moves = false
      let boxes = [...range.getClientRects()]
      for (let at: Element | null = parent; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY, textOverflow, position, clipPath } = getComputedStyle(at)
        const edge = at.getBoundingClientRect()
        // For screen readers only.
        if (clipPath !== 'none' || (edge.width <= 1 && edge.height <= 1)) boxes = []
        if (position === 'sticky' || position === 'fixed') moves = true
        if (overflowX === 'visible' && overflowY === 'visible') continue
        const scrolls = /auto|scroll/.test(overflowX)
        const right = Math.max(0, ...boxes.map(box => box.right))
        // The cell of a list and what has a title show their whole text when they are pointed at; a box that scrolls shows the rest itself.
        if (!scrolls && !/auto|scroll/.test(overflowY) && right > edge.right + 1.5 && !parent.closest('td, [title]'))
          faults.push(`cut${textOverflow === 'ellipsis' ? '' : ' without a sign'}: ${nameOf(node.textContent)}`)
        boxes = boxes.flatMap(box => {
          const left = Math.max(box.left, edge.left)
          const top = Math.max(box.top, edge.top)
          const width = Math.min(box.right, edge.right) - left
          const height = Math.min(box.bottom, edge.bottom) - top
          return width > 2 && height > 2 ? [new DOMRect(left, top, width, height)] : []
        })
        if (boxes.length === 0) break
      }
      // A word may break at its hyphens, nowhere else.
      for (const word of boxes.length === 0 ? [] : node.textContent.matchAll(/(?<![\p{L}\p{N}@._/-])\p{L}{4,}(?![\p{L}\p{N}@._/-])/gu)) {
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const lines = new Set([...range.getClientRects()].filter(box => box.width > 0).map(box => Math.round(box.top)))
        if (lines.size > 1) faults.push(`a word is broken: ${nameOf(word[0])}`)
      }
      if (!moves) for (const box of boxes) shown.push({ text: node.textContent, parent, box })
    }
    const isCovered = ({ parent, box }: (typeof shown)[number]) => {
      const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      return over !== null && !over.contains(parent) && !parent.contains(over)
    }
    const open = shown.filter(one => one.box.bottom > 0 && one.box.top < window.innerHeight && !isCovered(one))
    for (const [i, one] of open.entries())
      for (const other of open.slice(i + 1)) {
        if (one.parent === other.parent) continue
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        if (width > 3 && height > 4) faults.push(`${nameOf(one.text)} lies over ${nameOf(other.text)}`)
      }
    return [...new Set(faults)]
  })
}

/** What reaches over an edge or over its neighbour: the page itself, lists and dialogs, buttons, fields and pictures. */
export async function overhangs(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()}> “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`
    const seen = { opacityProperty: true, visibilityProperty: true }
    const isScrolled = (element: Element) =>
      /auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1
    const faults: string[] = []
    const beyond = document.documentElement.scrollWidth - window.innerWidth
    if (beyond > 0) faults.push(`${beyond} pixels too wide`)
    // Tabs, views, measures of a chart and wide tables are wiped; nothing else is.
    const wiped = '[role="tablist"], [role="radiogroup"], nav, pre'
    for (const element of document.querySelectorAll('body *')) {
      if (!isScrolled(element) || !element.checkVisibility(seen)) continue
      const isWhole = element.matches('main, [class*="Drawer-"], [class*="Modal-"]')
      if (element.matches(wiped) || (!isWhole && element.querySelector(`:scope > :is(${wiped}), table`))) continue
      faults.push(`${element.scrollWidth - element.clientWidth} pixels wider than its box: ${nameOf(element)}`)
    }
    const shown: { element: Element; box: DOMRect }[] = []
    for (const element of document.querySelectorAll('button, a, input, select, textarea, label, img, canvas')) {
      if (!element.checkVisibility(seen) || element.closest('[aria-hidden="true"]')) continue
      let box = element.getBoundingClientRect()
      let moves = /sticky|fixed/.test(getComputedStyle(element).position)
      let scrolls = false
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY, position, clipPath } = getComputedStyle(at)
        if (/sticky|fixed/.test(position)) moves = true
        const edge = at.getBoundingClientRect()
        // For screen readers only.
        if (clipPath !== 'none' || (edge.width <= 1 && edge.height <= 1)) box = new DOMRect()
        if (overflowX === 'visible' && overflowY === 'visible') continue
        if (isScrolled(at)) scrolls = true
        else if (!scrolls && box.width > 1 && box.right > edge.right + 1.5) faults.push(`cut: ${nameOf(element)}`)
        const left = Math.max(box.left, edge.left)
        const top = Math.max(box.top, edge.top)
        box = new DOMRect(left, top, Math.min(box.right, edge.right) - left, Math.min(box.bottom, edge.bottom) - top)
        if (box.width <= 2 || box.height <= 2) break
      }
      if (box.width <= 2 || box.height <= 2) continue
      if (!scrolls && box.right > window.innerWidth + 0.5) faults.push(`beyond the edge: ${nameOf(element)}`)
      if (!moves) shown.push({ element, box })
    }
    for (const [at, one] of shown.entries())
      for (const other of shown.slice(at + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue
        // A button inside the frame of a field.
        if (
          one.element.closest('.mantine-Input-wrapper') &&
          one.element.closest('.mantine-Input-wrapper') === other.element.closest('.mantine-Input-wrapper')
        )
          continue
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        if (width > 3 && height > 4) faults.push(`${nameOf(one.element)} lies over ${nameOf(other.element)}`)
      }
    return [...new Set(faults)]
  })
}

/** What cannot be used now is quieter than its neighbours – no ground of its own, faint letters, never see-through – and says why. */
export async function disabledControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = []
    /** On a coloured stage as on any other ground. */
    const faintAt = (element: Element) => {
      const probe = document.createElement('i')
      probe.style.color = 'var(--disabled-ink, var(--ink-faint))'
      element.parentElement?.append(probe)
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    }
    /** The contrast of letters on the ground that shows behind them, with see-through colours laid over each other. */
    const contrastOf = (element: Element) => {
      const grounds: string[] = []
      for (let at: Element | null = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor)
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')
      const lights: number[] = []
      for (const color of [...grounds, getComputedStyle(element).color]) {
        if (!canvas) return 0
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(value =>
          value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        )
        lights.push(0.2126 * r + 0.7152 * g + 0.0722 * b)
      }
      const [dark = 0, light = 0] = lights.slice(-2).toSorted((a, b) => a - b)
      return (light + 0.05) / (dark + 0.05)
    }
    const isShown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const closed = ':is(button, a, input, select, textarea):is(:disabled, [aria-disabled="true"], [data-disabled])'
    for (const element of document.querySelectorAll(closed)) {
      // What is being saved is disabled for a moment and shows a ring.
      if (!isShown(element) || element.matches('[data-loading]')) continue
      const { color, backgroundColor } = getComputedStyle(element)
      const name = `<${element.tagName.toLowerCase()}> “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`
      const isBox = element.matches('[type="checkbox"], [type="radio"]')
      if (!isBox && color !== faintAt(element)) faults.push(`disabled, but its letters are not faint: ${name}`)
      const isOnColour = getComputedStyle(element).getPropertyValue('--disabled-ink') !== ''
      if (!isBox && isOnColour && contrastOf(element) < 4.5) faults.push(`disabled, and hardly read on its stage: ${name}`)
      if (!isBox && !/, 0\)$|transparent/.test(backgroundColor)) faults.push(`disabled, but filled: ${name}`)
      for (let at: Element | null = element; at; at = at.parentElement)
        if (getComputedStyle(at).opacity !== '1' && !at.matches('[inert], [aria-busy="true"]')) faults.push(`disabled by fading: ${name}`)
      // Arrows of a number, for the pointer alone.
      if (element.closest('[aria-hidden="true"]')) continue
      const ids = (element.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
      const described = ids.some(id => document.getElementById(id)?.textContent?.trim())
      if (
        !described &&
        !element.closest('[title]:not([title=""])') &&
        !element.querySelector('small') &&
        !element.closest('fieldset[aria-describedby]')
      )
        faults.push(`disabled without a reason: ${name}`)
    }
    return [...new Set(faults)]
  })
}

/** The ring around what has the focus: one line of 2 pixels, or of 3 on a signal. A table shows it around the row in which one is. */
export async function focusRing(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press('Tab')
    const seen = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const own = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      const row = document.getElementById(element.getAttribute('aria-activedescendant') ?? '')
      const cell = row?.firstElementChild
      if (cell) return { name: 'a row', width: getComputedStyle(cell).boxShadow === 'none' ? 0 : 2, shadow: false, seen: true }
      return {
        name: `<${element.tagName.toLowerCase()}> “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`,
        width: own.outlineStyle === 'none' ? 0 : Number.parseFloat(own.outlineWidth),
        shadow: own.boxShadow !== 'none',
        seen: box.width > 1,
      }
    })
    if (seen?.seen && (seen.width < 2 || seen.width > 3)) faults.push(`a focus ring of ${seen.width} px: ${seen.name}`)
  }
  return faults
}
