/** Below a list: which of how many rows are shown, what has changed since, and the way to the other pages. */
import { ActionIcon, Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import style from '../DataTable.module.css'
import { disabledBecause } from '../disabled.ts'
import { number } from '../format.ts'
import type { ListState } from '../list-state.ts'
import { useT } from '../translate.ts'

export function Foot<R>({ list, onPage }: { list: ListState<R>; onPage?: (page: number) => void }) {
  const t = useT()
  const ways = useRef<HTMLDivElement>(null)
  const turned = useRef(false)
  // On the first and the last page the button that was pressed cannot keep the focus: the other one takes it.
  useEffect(() => {
    if (!turned.current || list.isStale || document.activeElement !== document.body) return
    ways.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus({ preventScroll: true })
    turned.current = false
  })
  const turn = (page: number) => {
    turned.current = true
    onPage?.(page)
  }
  if (list.isLoading || list.error || (list.total === 0 && list.pendingChanges === 0)) return null
  const first = (list.page - 1) * list.limit + 1
  const last = first + list.rows.length - 1
  const total = list.totalIsMore ? t('more than {{total}}', { total: number(list.total) }) : number(list.total)
  const more = list.totalIsMore || last < list.total
  return (
    <div className={style.foot}>
      <span role="status">
        {list.rows.length === 0 ? '' : t('{{first}}–{{last}} of {{total}}', { first: number(first), last: number(last), total })}
      </span>
      {list.pendingChanges > 0 ? (
        <Button size="compact-sm" variant="light" onClick={list.showPendingChanges}>
          {t('Show {{count}} changes', { count: list.pendingChanges })}
        </Button>
      ) : null}
      {onPage ? (
        <Group ref={ways} gap={4}>
          <ActionIcon
            aria-label={t('Previous page')}
            {...disabledBecause(list.page <= 1 && t('This is the first page'))}
            onClick={() => turn(list.page - 1)}
            size="lg"
          >
            <IconChevronLeft size={20} />
          </ActionIcon>
          <span>{t('Page {{page}}', { page: number(list.page) })}</span>
          <ActionIcon
            aria-label={t('Next page')}
            {...disabledBecause(!more && t('This is the last page'))}
            onClick={() => turn(list.page + 1)}
            size="lg"
          >
            <IconChevronRight size={20} />
          </ActionIcon>
        </Group>
      ) : null}
    </div>
  )
}
