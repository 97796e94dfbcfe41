/** The way through the pages of a short list that is not a table. Nothing is shown where one page holds everything. */
import { Button, Group } from '@mantine/core'
import { disabledBecause } from './disabled.ts'
import { number } from './format.ts'
import { useT } from './translate.ts'

export function Pager({
  page,
  pages,
  turn,
  byTime,
  size = 'compact-md',
}: {
  /** From 1. */
  page: number
  pages: number
  turn: (page: number) => void
  /** The newest comes first. */
  byTime?: boolean
  size?: 'compact-md' | 'lg'
}) {
  const t = useT()
  if (pages <= 1) return null
  return (
    <Group justify="space-between" gap="xs">
      <Button size={size} variant="default" {...disabledBecause(page <= 1 && t('This is the first page'))} onClick={() => turn(page - 1)}>
        {byTime ? t('Newer') : t('Previous')}
      </Button>
      <span>{t('Page {{page}} of {{pages}}', { page: number(page), pages: number(pages) })}</span>
      <Button
        size={size}
        variant="default"
        {...disabledBecause(page >= pages && t('This is the last page'))}
        onClick={() => turn(page + 1)}
      >
        {byTime ? t('Older') : t('Next')}
      </Button>
    </Group>
  )
}
