/**
 * Translations: the English sentence is the key. `--check` fails when a sentence that people can see has no translation, when a
 * language lacks one, when a place such as {{name}} was lost, or when a key is no longer used anywhere.
 * `--merge FILE…` takes { key: { da_DK, de_DE, no_NO, sv_SE } } into the five files.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { locales } from '../src/contract/limits.ts'

type Locale = (typeof locales)[number]
type Book = Record<string, string>

const root = fileURLToPath(new URL('..', import.meta.url))
const bookFile = (locale: Locale): string => `${root}translations/${locale}.json`
const read = (locale: Locale): Book => {
  try {
    return JSON.parse(readFileSync(bookFile(locale), 'utf8')) as Book
  } catch {
    return {}
  }
}
const write = (locale: Locale, book: Book): void =>
  writeFileSync(
    bookFile(locale),
    `${JSON.stringify(Object.fromEntries(Object.entries(book).sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`,
  )

/** Sources in which people's sentences stand. */
export const sources = (): string[] =>
  globSync(['src/**/*.ts', 'src/**/*.tsx'], { cwd: root })
    .filter(
      path =>
        !/\.(test|fake)\.tsx?$|^src\/(contract\/areas\.ts|app\/(demo|primary-process\.ts|first-run\.ts|print-agent\.ts)|optimization|ui\/(shell\/BuildingBlocks|query\/http-status-text|device\/(console|trusted-types)|kit\/(Logo|illustrations)))/.test(
          path,
        ),
    )
    .sort()

interface Literal {
  text: string
  /** The text before it on its line, which separates a sentence for users from one for the log. */
  before: string
  line: number
}

/** Every string literal of a TypeScript text; comments and template texts are passed over, code inside templates is not. */
export function literalsOf(source: string): Literal[] {
  const found: Literal[] = []
  let line = 1
  let lineStart = 0
  const templates: number[] = []
  let braces = 0
  for (let i = 0; i < source.length; i++) {
    const c = source[i]
    if (c === '\n') {
      line++
      lineStart = i + 1
    } else if (c === '/' && source[i + 1] === '/') {
      i = source.indexOf('\n', i)
      if (i < 0) break
      i--
    } else if (c === '/' && source[i + 1] === '*') {
      const end = source.indexOf('*/', i + 2)
      line += source.slice(i, end).split('\n').length - 1
      lineStart = source.lastIndexOf('\n', end) + 1
      i = end + 1
    } else if (c === '/' && source[i + 1] !== '>' && /[=(,:!&|?{};\n]\s*$/.test(source.slice(Math.max(0, i - 20), i))) {
      // A regular expression, to its end, classes included. The end of a tag is none.
      let inClass = false
      for (i++; i < source.length && (inClass || source[i] !== '/'); i++) {
        if (source[i] === '\\') i++
        else if (source[i] === '[') inClass = true
        else if (source[i] === ']') inClass = false
      }
    } else if (c === "'" || c === '"') {
      let text = ''
      const from = i
      for (i++; i < source.length && source[i] !== c && source[i] !== '\n'; i++) {
        if (source[i] === '\\') {
          i++
          text +=
            source[i] === 'n' ? '\n' : source[i] === 'u' ? String.fromCharCode(Number.parseInt(source.slice(i + 1, i + 5), 16)) : source[i]
          if (source[i] === 'u') i += 4
        } else text += source[i]
      }
      // JSX text may hold a lone apostrophe; it does not end on its line.
      if (source[i] === c) found.push({ text, before: lineBefore(from), line })
      else i = from
    } else if (c === '`') {
      i = skipTemplate(i)
    } else if (c === '{') braces++
    else if (c === '}') {
      if (templates.at(-1) === braces) {
        templates.pop()
        i = skipTemplate(i)
      } else braces--
    }
  }
  /** What stands before it on its line; on the line above when it stands there alone. */
  function lineBefore(from: number): string {
    const here = source.slice(lineStart, from)
    return here.trim() === '' ? source.slice(source.lastIndexOf('\n', lineStart - 2) + 1, from).trimEnd() : here
  }
  function skipTemplate(at: number): number {
    for (let i = at + 1; i < source.length; i++) {
      if (source[i] === '\\') i++
      else if (source[i] === '\n') {
        line++
        lineStart = i + 1
      } else if (source[i] === '`') return i
      else if (source[i] === '$' && source[i + 1] === '{') {
        templates.push(braces)
        return i + 1
      }
    }
    return source.length
  }
  return found
}

/** What stands before the sentence of a refusal: the helper and the code, or only the code on the line above. */
const refusalBefore =
  /(?:\b(?:badRequest|errorFinding|forbidden|notFound|conflict|unauthorized|tooMany|unprocessable|unavailable|tooLarge)\(|^)\s*'[a-z][a-z0-9_]*',\s*$/m

/** A literal that is handed to `t`, or reads like a sentence and is not for the log, the API page or a developer. */
function isForPeople({ text, before }: Literal, path: string): boolean {
  if (/\bt\(\s*$/.test(before) || /\bi18nKey=$/.test(before)) return text.length > 0
  if (/^src\/(platform\/|app\/gauges)/.test(path) && !/http-errors|http-server\.ts|tenant-host/.test(path))
    return refusalBefore.test(before) && /^[A-Z{]/.test(text)
  if (/(new \w*Error\(|\.name =|summary:|import |from |throw new Error|log\.(info|warn|error)|querySelector|console\.)[^']*$/.test(before))
    return false
  if (path.startsWith('src/integrations/')) return refusalBefore.test(before)
  // One word in a table of words for codes.
  if (/\.(labels\.tsx?|tsx)$/.test(path) && /(^|[{,])\s*\w+: \[?$/.test(before) && /^[A-Z][a-z]+(-[a-z]+)?$/.test(text)) return true
  // Outlines of drawings.
  if (/^M\d[\d .,-]*[A-Za-z]/.test(text)) return false
  return (
    /^[A-ZÆØÅ{][^<>]*\s\S/.test(text) &&
    !/^[A-Z]+ [a-z_]+(\/|$)/.test(text) &&
    /[a-z]/.test(text) &&
    /^(\S+\s)+\S+$/.test(text.replace(/\s+/g, ' ').trim()) &&
    !/^[A-Z][A-Za-z-]+( [a-z-]+=|;)/.test(text) &&
    !text.startsWith('{{}}')
  )
}

/** Words in the sources that look like sentences and are none. */
const ignored = new Set<string>(JSON.parse(readFileSync(new URL('./translations-ignored.json', import.meta.url), 'utf8')) as string[])

export function sentences(): Map<string, string> {
  const found = new Map<string, string>()
  for (const path of sources())
    for (const literal of literalsOf(readFileSync(root + path, 'utf8')))
      if (isForPeople(literal, path) && !ignored.has(literal.text)) found.set(literal.text, `${path}:${literal.line}`)
  return found
}

const plain = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '')
const places = (text: string): string => [...new Set([...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map(match => match[1]))].sort().join(' ')

function check(): string[] {
  const books = Object.fromEntries(locales.map(locale => [locale, read(locale)])) as Record<Locale, Book>
  const keys = new Set(locales.flatMap(locale => Object.keys(books[locale])))
  const bare = new Set([...keys].map(plain))
  const problems: string[] = []
  const used = sentences()
  for (const [sentence, where] of used)
    if (!keys.has(sentence) && !bare.has(sentence)) problems.push(`${where}: no translation of “${sentence}”`)
  const everything = sources()
    .map(path => readFileSync(root + path, 'utf8'))
    .join('\n')
  for (const key of keys) {
    for (const locale of locales) {
      const text = books[locale][key]
      if (text === undefined || text === '') problems.push(`${locale}: “${key}” is missing`)
      else if (places(text) !== places(key) && !/_(one|zero)$/.test(key)) problems.push(`${locale}: “${key}” has other places: “${text}”`)
    }
    const stem = plain(key)
    if (!used.has(key) && !used.has(stem) && !everything.includes(stem.replaceAll("'", "\\'")) && !everything.includes(stem))
      problems.push(`“${key}” is used nowhere`)
  }
  return problems
}

function merge(files: readonly string[]): void {
  const books = Object.fromEntries(locales.map(locale => [locale, read(locale)])) as Record<Locale, Book>
  for (const file of files) {
    const additions = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Partial<Record<Locale, string>>>
    for (const [key, texts] of Object.entries(additions)) {
      for (const locale of locales) {
        const text = texts[locale] ?? (locale === 'en_GB' ? (books.en_GB[key] ?? plain(key)) : undefined)
        if (text !== undefined) books[locale][key] = text
      }
    }
  }
  for (const locale of locales) write(locale, books[locale])
}

if (import.meta.main) {
  const [mode = '--check', ...files] = process.argv.slice(2)
  if (mode === '--merge') merge(files)
  else if (mode === '--list') for (const [sentence, where] of sentences()) console.log(`${where}\t${sentence}`)
  else if (mode === '--prune') {
    const stale = new Set(check().flatMap(problem => /^“(.*)” is used nowhere$/.exec(problem)?.[1] ?? []))
    for (const locale of locales) write(locale, Object.fromEntries(Object.entries(read(locale)).filter(([key]) => !stale.has(key))))
  } else {
    const problems = check()
    for (const problem of problems) console.error(problem)
    if (problems.length > 0) process.exitCode = 1
    else console.log(`${Object.keys(read('en_GB')).length} sentences in ${locales.length} languages`)
  }
}
