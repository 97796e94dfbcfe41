/** XML as some couriers speak it: read in one pass, and written from names and values. */
import { decode, encode } from 'html-entities'

export interface XmlNode {
  name: string
  text: string
  children: XmlNode[]
}

const deepest = 30
const mostNodes = 100_000

/** The root of an XML text, in one pass. Undefined where it is none, is too large or declares entities. */
export function readXml(xml: string): XmlNode | undefined {
  const top: XmlNode = { name: '', text: '', children: [] }
  const open = [top]
  let nodes = 0
  for (let at = 0; ; ) {
    const node = open.at(-1)
    const start = xml.indexOf('<', at)
    if (!node || start < 0) break
    node.text += decode(xml.slice(at, start), { level: 'xml' })
    const [opening, ending] = pairs.find(([one]) => xml.startsWith(one, start)) ?? ['<', '>']
    const end = xml.indexOf(ending, start + opening.length)
    if (end < 0 || xml.startsWith('<!D', start)) return undefined
    at = end + ending.length
    const inner = xml.slice(start + opening.length, end)
    if (opening === '<![CDATA[') node.text += inner
    else if (opening === '</') {
      if (open.length === 1 || nameIn(inner) !== node.name) return undefined
      open.pop()
    } else if (opening === '<') {
      const child = { name: nameIn(inner), text: '', children: [] }
      if (++nodes > mostNodes || open.length > deepest) return undefined
      node.children.push(child)
      if (!inner.endsWith('/')) open.push(child)
    }
  }
  return open.length === 1 && top.children.length === 1 ? top.children[0] : undefined
}

const pairs = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['</', '>'],
] as const

/** Without prefix and attributes. No courier writes a `>` into an attribute. */
function nameIn(inner: string): string {
  const end = inner.search(/[\s/]/)
  const whole = end < 0 ? inner : inner.slice(0, end)
  return whole.slice(whole.indexOf(':') + 1)
}

export const childrenOf = (node: XmlNode, called: string): XmlNode[] =>
  node.children.filter(one => one.name.toLowerCase() === called.toLowerCase())
export const wordsOf = (node: XmlNode, called: string): string => childrenOf(node, called)[0]?.text.trim() ?? ''
export const allOf = (node: XmlNode, called: string): XmlNode[] =>
  node.name === called ? [node] : node.children.flatMap(child => allOf(child, called))

/** What an element holds: text, or elements in their order. Absent and empty ones are left out. */
export type XmlContent = string | number | null | undefined | readonly (readonly [name: string, content: XmlContent])[]

export function writeXml(name: string, content: XmlContent): string {
  const inner = Array.isArray(content)
    ? content.map(([child, held]) => (isEmpty(held) ? '' : writeXml(child, held))).join('')
    : written(content)
  return `<${name}>${inner}</${name}>`
}

const isEmpty = (content: XmlContent): boolean => content === null || content === undefined || content === ''

/** XML has no control characters but tab and line ends, not even as entities. */
const written = (content: XmlContent): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  encode(String(content ?? '').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''), { level: 'xml', mode: 'specialChars' })
