/** Where a found setting stands, and the words by which it was found where they are of another language. */
import type { FoundSetting } from '#contract/settings-search.schemas.ts'
import type { useT } from '#ui/kit/translate.ts'
import type { Screen } from '#ui/navigation/screen.ts'

export function settingDetail(t: ReturnType<typeof useT>, open: readonly Screen[], { path, label, found }: FoundSetting): string {
  const page = t(open.find(screen => screen.path === path)?.title ?? '')
  return found === t(label) ? page : `${page} · ${found}`
}
