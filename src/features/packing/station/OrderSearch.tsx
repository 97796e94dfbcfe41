/** Finds orders while somebody types; the scanner never types into it. */
import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { access } from '#contract/access.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './IdleView.module.css'
import { useStation } from './station-parts.tsx'

export default function OrderSearch() {
  const t = useT()
  const { dispatch } = useStation()
  const mayLook = useIsAllowed(access.parcels)
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  // The outside system is the person's pause.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text])
  const words = useCall(orders.search, { query: asked, limit: 7, open: true }, { enabled: mayLook && asked.length > 1, keep: true })
  const exact = useCall(packing.find, { code: asked || '-' }, { enabled: !mayLook && asked.length > 1, keep: true })
  const rows = mayLook
    ? words.data?.rows.map(row => ({ ...row, order_id: row.id, beside: row.city }))
    : exact.data?.orders.map(row => ({ ...row, beside: row.company }))
  const shown = asked.length > 1 && text.trim() !== '' ? (rows ?? []) : []
  return (
    <form
      className={style.search}
      onSubmit={event => {
        event.preventDefault()
        const [only, second] = shown
        if (only && !second) dispatch({ type: 'open', order_id: only.order_id, order_no: only.order_no })
        else if (text.trim() !== '') dispatch({ type: 'find', code: text.trim() })
      }}
    >
      <TextInput
        size="md"
        aria-label={t('Find an order')}
        placeholder={mayLook ? t('Order number, name or phone') : t('Or type an order number')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        leftSection={<IconSearch size={16} />}
        rightSection={text ? <CloseButton aria-label={t('Clear')} onClick={() => setText('')} /> : null}
        autoComplete="off"
        enterKeyHint="go"
      />
      {shown.length > 0 ? (
        <ul className={style.found}>
          {shown.map(row => (
            <li key={row.order_id}>
              <button type="button" onClick={() => dispatch({ type: 'open', order_id: row.order_id, order_no: row.order_no })}>
                <b>{row.order_no}</b>
                <span>{row.customer_name}</span>
                <small>{row.beside}</small>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </form>
  )
}
