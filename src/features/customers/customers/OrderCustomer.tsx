/** What is to be known of an order's customer, wherever the order or its parcel is shown: flags and notes, the warnings first. */
import type { ReactNode } from 'react'
import { access } from '#contract/access.ts'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { customers } from './customers.contract.ts'
import { FlagBadge, NoteBadge } from './customers.labels.tsx'
import style from './OrderCustomer.module.css'

interface OrderCustomerProps {
  order_id: number
  place?: number
  /** Shown only where there is something to heed. */
  warnings?: boolean
  /** As the order has it, with its other words about the customer as children: shown also while the customer is unknown. */
  name?: string
  children?: ReactNode
}

/** Nothing while the order's customer is unknown and the order has no word about them. */
export function OrderCustomer({ order_id, place = 0, warnings = false, name, children }: OrderCustomerProps) {
  const t = useT()
  const seesCustomers = useIsAllowed(access.customers)
  const { data } = useCall(customers.ofOrder, { id: order_id }, { live: ['customer'], fresh: 60_000 })
  const customer = data?.customer
  if (!customer && name === undefined) return null
  const { flags = [], notes: all = [] } = customer ?? {}
  const notes = warnings ? all.filter(note => note.type === 'warning') : all
  if (warnings && notes.length === 0 && flags.length === 0) return null
  const shown = name || customer?.name || t('Without a name')
  return (
    <Panel title={t('Customer')} place={place}>
      <div className={style.who}>
        <span className={style.name}>
          {customer && seesCustomers ? (
            <Link to="/parcels/customers" search={{ id: customer.customer_id }}>
              {shown}
            </Link>
          ) : (
            <span>{shown}</span>
          )}
          {name ? <CopyButton text={name} label={t('Copy name')} /> : null}
        </span>
        {customer ? <span className={style.by}>{t('{{count}} orders', { count: customer.order_count })}</span> : null}
      </div>
      {children}
      {flags.length > 0 ? (
        <div className={style.flags}>
          {flags.map(flag => (
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
