/** What is to be known of an order's customer, wherever the order or its parcel is shown: flags and notes, the warnings first. */
import { access } from '#contract/access.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { customers } from './customers.contract.ts'
import { FlagBadge, NoteBadge } from './customers.labels.tsx'
import style from './OrderCustomer.module.css'

/** Nothing while the order's customer is unknown. With `warnings` only where there is something to heed. */
export function OrderCustomer({ order_id, place = 0, warnings = false }: { order_id: number; place?: number; warnings?: boolean }) {
  const t = useT()
  const seesCustomers = useIsAllowed(access.customers)
  const { data } = useCall(customers.ofOrder, { id: order_id }, { live: ['customer'], fresh: 60_000 })
  const customer = data?.customer
  if (!customer) return null
  const notes = warnings ? customer.notes.filter(note => note.type === 'warning') : customer.notes
  if (warnings && notes.length === 0 && customer.flags.length === 0) return null
  return (
    <Panel title={t('Customer')} place={place}>
      <div className={style.who}>
        {seesCustomers ? (
          <Link to="/parcels/customers" search={{ id: customer.customer_id }}>
            {customer.name || t('Without a name')}
          </Link>
        ) : (
          <span>{customer.name || t('Without a name')}</span>
        )}
        <span className={style.by}>{t('{{count}} orders', { count: customer.order_count })}</span>
      </div>
      {customer.flags.length > 0 ? (
        <div className={style.flags}>
          {customer.flags.map(flag => (
            <FlagBadge key={flag} flag={flag} />
          ))}
        </div>
      ) : null}
      {notes.map(note => (
        <div key={note.id} className={style.note}>
          <div className={style.noteHead}>
            <NoteBadge type={note.type} />
            <span className={style.by}>
              {note.actor}, <RelativeTime at={note.created_at} />
            </span>
          </div>
          <div className={style.text}>{note.note}</div>
        </div>
      ))}
    </Panel>
  )
}
