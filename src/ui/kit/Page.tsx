/** A page of the shell: title, what can be done here, and the content. */
import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useContext } from 'react'
import { Link } from './Link.tsx'
import style from './Page.module.css'
import { PageNote } from './page-note.ts'
import { usePageTabs } from './page-tabs.ts'
import { usePageTitle } from './page-title.ts'
import { useT } from './translate.ts'

export interface PageProps {
  /** Translated. Also the document's title, unless `documentTitle` says otherwise. */
  title: string
  documentTitle?: string
  /** Beside the title: a state badge, a count. */
  badge?: ReactNode
  /** One line under the title, when it helps to act. */
  note?: ReactNode
  /** At most one primary button; the last one. */
  actions?: ReactNode
  /** Tabs of this page, beside its title; by default those of the pages that share its place in the menu. */
  tabs?: ReactNode
  /** Where the arrow leads: a path with its search. */
  back?: { to: string; search?: Record<string, unknown>; label?: string }
  /** The content takes the height of the window and scrolls inside itself (lists). */
  fill?: boolean
  /** At most 720 px wide (forms). */
  narrow?: boolean
  children: ReactNode
}

export function Page({ title, documentTitle, badge, note, actions, tabs: own, back, fill, narrow, children }: PageProps) {
  const t = useT()
  usePageTitle(documentTitle ?? title)
  const shared = usePageTabs()
  const below = useContext(PageNote)
  const tabs = own ?? shared
  return (
    <div className={[style.page, fill ? style.fill : '', narrow ? style.narrow : ''].join(' ')}>
      <header className={style.head}>
        <div className={style.title}>
          {back ? (
            <ActionIcon component={Link} to={back.to} search={back.search} size="lg" aria-label={back.label ?? t('Back')}>
              <IconArrowLeft size={20} />
            </ActionIcon>
          ) : null}
          <div style={{ minWidth: 0 }}>
            <h1>{title}</h1>
            {note ? <div className={style.note}>{note}</div> : null}
            {below ? <div className={style.note}>{below}</div> : null}
          </div>
          {badge}
        </div>
        {back || !tabs ? null : <div className={style.tabs}>{tabs}</div>}
        {actions ? <div className={style.actions}>{actions}</div> : null}
      </header>
      <div className={style.body}>{children}</div>
    </div>
  )
}
