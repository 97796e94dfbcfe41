/** Questions of packing stations to a lead, at the corner of every page. */
import { lazy, Suspense } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed, useSession } from '#ui/query/session.ts'
import style from './ApprovalRequests.module.css'
import { approverCodes } from './approval.codes.ts'
import { approvals } from './approval.contract.ts'

const ApprovalQuestion = lazy(() => import('./ApprovalQuestion.tsx'))

export function ApprovalRequests() {
  const t = useT()
  const byGroup = (useSession()?.user.acts?.length ?? 0) > 0
  const may = useIsAllowed(approverCodes) || byGroup
  const open = useCall(approvals.open, {}, { enabled: may, live: ['approval'], keep: true })
  const rows = may ? (open.data?.rows ?? []) : []
  if (rows.length === 0) return null
  return (
    <section className={style.corner} aria-label={t('Approvals')} aria-live="polite">
      <Suspense>
        {rows.slice(0, 3).map(row => (
          <ApprovalQuestion key={row.id} of={row} readAt={open.dataUpdatedAt} />
        ))}
      </Suspense>
    </section>
  )
}
