/** Tags as dots with their names; a word of a shop that is no tag has a grey dot. */
import { compare } from '#ui/kit/format.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './TagChips.module.css'
import type { TagColor } from './tags.codes.ts'
import { tags } from './tags.contract.ts'
import type { TagName } from './tags.schemas.ts'

/** Of every company that the person sees. */
export const useTagNames = (): readonly TagName[] => useCall(tags.names, {}, { live: ['tag'], fresh: 60_000 }).data ?? none
const none: readonly TagName[] = []

/** One of each name, in the order of names. */
export function namesOfTags(all: readonly TagName[]): string[] {
  const byCode = new Map(all.map(({ name }) => [name.toLowerCase(), name]))
  return [...byCode.values()].sort(compare)
}

export function TagDot({ color, name }: { color: TagColor | null; name: string }) {
  return (
    <span className={style.tag} title={name}>
      <span className={color === null ? style.dot : `${style.dot} ${style[color]}`} aria-hidden />
      <span className={style.name}>{name}</span>
    </span>
  )
}

/** `line` keeps them on one line of a table. */
export function TagChips({ names, company_id, line = false }: { names: readonly string[]; company_id?: number; line?: boolean }) {
  const all = useTagNames()
  if (names.length === 0) return null
  const colorOf = (name: string): TagColor | null => {
    const same = all.filter(tag => tag.name.toLowerCase() === name.toLowerCase())
    return (same.find(tag => tag.company_id === company_id) ?? (company_id === undefined ? same[0] : undefined))?.color ?? null
  }
  return (
    <span className={line ? `${style.tags} ${style.line}` : style.tags}>
      {names.map(name => (
        <TagDot key={name} name={name} color={colorOf(name)} />
      ))}
    </span>
  )
}
