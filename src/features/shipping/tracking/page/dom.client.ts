/** Drawing without markup: elements are made one by one, and whatever a text holds stays text. */

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>>
export type Child = Node | string | null | undefined | false

/** An element. A function is a listener; false, null and undefined leave an attribute or a child out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value)
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value))
  }
  for (const child of children.flat()) if (child) element.append(child)
  return element
}

const svg = 'http://www.w3.org/2000/svg'

/** A line drawing of 24 × 24, for the eye only. */
export function icon(path: string): SVGElement {
  const drawing = document.createElementNS(svg, 'svg')
  for (const [name, value] of [
    ['viewBox', '0 0 24 24'],
    ['aria-hidden', 'true'],
    ['class', 'icon'],
  ] as const)
    drawing.setAttribute(name, value)
  const line = document.createElementNS(svg, 'path')
  line.setAttribute('d', path)
  drawing.append(line)
  return drawing
}

export const icons = {
  ordered: 'M6 4h9l4 4v12H6zM9 12h7M9 16h7',
  packed: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  on_its_way: 'M3 6h11v10H3zM14 10h4l3 3v3h-7M7 18.5a1.5 1.5 0 1 0 0-.01M17 18.5a1.5 1.5 0 1 0 0-.01',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  delivered: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  stop: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  late: 'M12 4a8 8 0 1 0 .01 0M12 8v4l3 2',
  back: 'M9 6L4 11l5 5M4 11h11a5 5 0 0 1 0 10',
} as const

/** Only addresses that a shop may lead to: never a script. */
export function safeAddress(text: string | null): string | null {
  if (text === null) return null
  try {
    const { protocol, href } = new URL(text)
    return protocol === 'https:' || protocol === 'http:' ? href : null
  } catch {
    return null
  }
}
