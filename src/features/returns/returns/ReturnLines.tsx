/** Returns as lines of a panel. */
import { access } from '#contract/access.ts'
import { Link } from '#ui/kit/Link.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './Returns.module.css'
import { MoneyBadge, ReturnBadge } from './return.labels.tsx'
import type { ReturnRow } from './returns.schemas.ts'

export function ReturnLines({ rows, none }: { rows: readonly ReturnRow[]; none: string }) {
  const t = useT()
  const reads = useIsAllowed(access.returns)
  return (
    <>
      {rows.length === 0 ? (
        <div className={style.row}>
          <span className={style.dim}>{none}</span>
        </div>
      ) : null}
      {rows.map(row => (
        <div key={row.id} className={style.row}>
          <div className={style.what}>
            {reads ? (
              <Link to="/returns" search={{ id: row.id }}>
                {row.rma_no}
              </Link>
            ) : (
              <span>{row.rma_no}</span>
            )}
            <span className={style.dim}>
              {t('{{count}} items', { count: row.pieces })} · <RelativeTime at={row.requested_at} />
            </span>
          </div>
          <span className={style.badges}>
            <ReturnBadge status={row.status} />
            <MoneyBadge money={row.money} />
          </span>
        </div>
      ))}
    </>
  )
}
