/** Street lines for couriers that want the house number apart. */

interface SplitStreet {
  street: string
  /** Empty where none can be found. */
  house_number: string
  /** What follows the first comma, such as a floor. */
  addition: string
}

const number = /^\d{1,5}[a-zA-Z]?(?:[-–/+]\d{1,5}[a-zA-Z]?)*$/
const behindNumber = /^(?:[a-zA-Z]|[-–/+])$/
const glued = /^([^\d]{2,60})(\d{1,5}[a-zA-Z]?(?:[-–/+]\d{1,5}[a-zA-Z]?){0,3})$/

/** `Hauptstr. 12 a, Hinterhaus` is Hauptstr., 12 a and Hinterhaus. A number inside the name, as of `Straße des 17. Juni 135`, stays in it. */
export function splitStreet(line: string): SplitStreet {
  const comma = line.indexOf(',')
  const addition = comma < 0 ? '' : line.slice(comma + 1).trim()
  const words = (comma < 0 ? line : line.slice(0, comma)).trim().split(/\s+/)
  let from = words.length
  while (from > 1 && (number.test(words[from - 1] ?? '') || behindNumber.test(words[from - 1] ?? ''))) from--
  while (from < words.length && !number.test(words[from] ?? '')) from++
  if (from < words.length) return { street: words.slice(0, from).join(' '), house_number: words.slice(from).join(' '), addition }
  const [, street, house_number] = glued.exec(words.at(-1) ?? '') ?? []
  if (street !== undefined && house_number !== undefined)
    return { street: [...words.slice(0, -1), street].join(' '), house_number, addition }
  return { street: words.join(' '), house_number: '', addition }
}
