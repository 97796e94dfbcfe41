/** What can be measured of a screen: its main actions, its sizes and weights of type, and words that are cut. */
import type { Page } from 'playwright-core'

/** Pixels of the design system; a floor screen has sizes of its own that follow the window. */
const scales = { desk: [12, 13, 14, 16, 20, 28, 40], phone: [12, 13, 14, 16, 18, 20, 22, 28, 40] } as const
const weights = [400, 500, 600, 700]

/** Sentences about what breaks a rule; none where all is well. `floor` screens are read from a distance and only held to the least size. */
export async function measures(page: Page, { floor = false }: { floor?: boolean } = {}): Promise<string[]> {
  const found = await page.evaluate(() => {
    const nameOf = (element: Element) => `<${element.tagName.toLowerCase()}> “${(element.textContent ?? '').trim().slice(0, 40)}”`
    const top = document.querySelector('[role="dialog"]:not([aria-hidden="true"])') ?? document.body
    const filled = [...top.querySelectorAll('main [data-variant="filled"], [role="dialog"] [data-variant="filled"]')].filter(
      element => (element.tagName === 'BUTTON' || element.tagName === 'A') && element.checkVisibility(),
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
    // The cell of a list shows its whole text when it is pointed at; a box that scrolls shows the rest itself.
    const cut = [...document.querySelectorAll('body *')].filter(element => {
      if (!(element instanceof HTMLElement) || !element.checkVisibility() || element.scrollWidth <= element.clientWidth + 1) return false
      const { overflowX, textOverflow, clipPath } = getComputedStyle(element)
      if (overflowX !== 'hidden' || textOverflow !== 'ellipsis' || clipPath !== 'none') return false
      return !element.closest('td, [title]') && !(element instanceof HTMLInputElement)
    })
    return { filled: filled.map(nameOf), texts, cut: cut.map(nameOf) }
  })
  const phone = (page.viewportSize()?.width ?? 1440) <= 768
  const faults: string[] = []
  if (found.filled.length > 1) faults.push(`${found.filled.length} main buttons: ${found.filled.join(', ')}`)
  for (const name of new Set(found.cut)) faults.push(`cut: ${name}`)
  const scale: readonly number[] = phone ? scales.phone : scales.desk
  for (const { name, size, weight } of found.texts) {
    if (!floor && !scale.some(one => Math.abs(one - size) < 0.1)) faults.push(`${size} px is not on the scale: ${name}`)
    if (floor && size < 12) faults.push(`${size} px is too small: ${name}`)
    if (!weights.includes(weight)) faults.push(`weight ${weight}: ${name}`)
  }
  return [...new Set(faults)]
}
