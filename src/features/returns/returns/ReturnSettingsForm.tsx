/** How the company takes returns: who approves, how long, and what it costs. */
import { NumberInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { decimalsOf } from '#domain/money.ts'
import { ReturnSettings, versioned } from '#features/company/companies/companies.schemas.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useVersion } from '#ui/kit/use-version.client.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { returns } from './returns.contract.ts'

const Saved = versioned(ReturnSettings)

export default function ReturnSettingsForm({ close }: { close: () => void }) {
  const settings = useCall(returns.settings, {})
  return <QueryState of={settings}>{saved => <Fields saved={saved} close={close} />}</QueryState>
}

function Fields({ saved, close }: { saved: Received<typeof returns.settings>; close: () => void }) {
  const t = useT()
  const { currency } = useSignedIn().init.settings
  const unit = 10 ** decimalsOf(currency)
  const { save, take } = useVersion(saved, (body: typeof saved) => send(returns.setSettings, { body }))
  const edit = useEdit({
    schema: Saved,
    initial: saved,
    save,
    refreshes: [returns.settings],
    said: t('Rules for returns saved'),
    done: close,
    conflict: { schema: Saved, values: take },
  })
  const [lines, setLines] = useState(() => saved.accessories.join('\n'))
  const days = { suffix: ` ${t('days')}`, allowNegative: false, min: 0, max: 365 } as const
  return (
    <Form edit={edit} cancel={close}>
      <NativeChoice
        label={t('Approval')}
        value={edit.values.review}
        data={[
          { value: 'never', label: t('At once') },
          { value: 'always', label: t('By a person') },
        ]}
        choose={review => edit.form.setFieldValue('review', review)}
      />
      <WholeNumberInput label={t('Customers may return for')} {...days} {...edit.of('window_days')} />
      <WholeNumberInput
        label={t('Right of withdrawal')}
        description={t('At least 14 days by law')}
        {...days}
        {...edit.of('withdrawal_days')}
      />
      <NumberInput
        label={t('Fee of a return')}
        description={t('Not taken for a withdrawal, nor where the shop or the courier is at fault')}
        suffix={` ${currency}`}
        min={0}
        decimalScale={decimalsOf(currency)}
        allowNegative={false}
        value={edit.values.fee / unit}
        error={edit.form.errors.fee}
        onChange={value => edit.form.setFieldValue('fee', Math.round((Number(value) || 0) * unit))}
      />
      <NativeChoice
        label={t('Order of an exchange')}
        description={t('Made by itself, without a price, once the replacement is known')}
        value={edit.values.exchange_at}
        data={[
          { value: 'never', label: t('By hand') },
          { value: 'arrival', label: t('When the parcel arrives') },
          { value: 'decision', label: t('When the items are decided') },
        ]}
        choose={exchange_at => edit.form.setFieldValue('exchange_at', exchange_at)}
      />
      <NativeChoice
        label={t('Refund proposed')}
        description={t('At the first scan the shop learns of the refund before the items are here')}
        value={edit.values.propose_at}
        data={[
          { value: 'inspection', label: t('After the inspection, by the desk') },
          { value: 'first_scan', label: t('At the courier’s first scan') },
        ]}
        choose={propose_at => edit.form.setFieldValue('propose_at', propose_at)}
      />
      <WholeNumberInput label={t('Ends unless sent within')} {...days} {...edit.of('unused_days')} />
      <WholeNumberInput label={t('Items count as missing after')} {...days} {...edit.of('missing_days')} />
      <Textarea
        label={t('Accessories by product')}
        description={t('Ticked at the inspection. A line for each product: SKU: charger, cable')}
        autosize
        minRows={3}
        maxRows={12}
        value={lines}
        error={Object.entries(edit.form.errors).find(([name]) => name.startsWith('accessories'))?.[1]}
        onChange={event => {
          setLines(event.currentTarget.value)
          edit.form.setFieldValue(
            'accessories',
            event.currentTarget.value
              .split('\n')
              .map(line => line.trim())
              .filter(Boolean),
          )
        }}
      />
    </Form>
  )
}
