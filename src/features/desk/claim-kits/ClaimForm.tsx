/** What is claimed: kind, amount, days and the words for the courier. */
import { NumberInput, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { claimKindWord } from '#features/shipping/claims/claim.labels.tsx'
import { type ClaimKind, claimKinds } from '#features/shipping/claims/claims.codes.ts'
import { claims } from '#features/shipping/claims/claims.contract.ts'
import { Claim, ClaimFields } from '#features/shipping/claims/claims.schemas.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { today } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { claimKits } from './claim-kits.contract.ts'

interface Values extends Record<string, unknown> {
  kind: ClaimKind
  /** In major units, as people write money. */
  amount: number | ''
  currency: string
  noticed_on: string
  deadline_on: string
  reference: string
  note: string
}

const minorPerMajor = (currency: string): number => 10 ** (isCurrency(currency) ? decimalsOf(currency) : 2)
const codeOf = (currency: string): string => currency.trim().toUpperCase()

const valuesOf = (claim: Claim | null, currency: string): Values => ({
  kind: claim?.kind ?? 'damage',
  amount: claim ? claim.amount / minorPerMajor(claim.currency) : '',
  currency: claim?.currency ?? currency,
  noticed_on: claim?.noticed_on ?? today(),
  deadline_on: claim?.deadline_on ?? '',
  reference: claim?.reference ?? '',
  note: claim?.note ?? '',
})

const fieldsOf = ({ kind: _, amount, deadline_on, ...values }: Values) => ({
  ...values,
  amount: amount === '' ? 0 : Math.round(amount * minorPerMajor(codeOf(values.currency))),
  deadline_on: deadline_on === '' ? null : deadline_on,
})
const Schema = z
  .custom<Values>()
  .transform((values): unknown => fieldsOf(values))
  .pipe(ClaimFields)
const parsed = (values: Values) => ClaimFields.parse(fieldsOf(values))

interface FormProps {
  shipment_id: number
  /** Null for a new one. */
  claim: Claim | null
  done: (claim: Claim) => void
  cancel: () => void
}

export function ClaimForm({ shipment_id, claim, done, cancel }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const version = useRef(claim?.version ?? 0)
  const [client_id] = useState(() => crypto.randomUUID())
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(claim, init.settings.currency),
    save: values =>
      claim
        ? send(claims.change, { id: claim.id, body: { ...parsed(values), version: version.current } })
        : send(claims.create, { body: { ...parsed(values), shipment_id, kind: values.kind, client_id } }),
    refreshes: [claims.list, claims.get, claims.count, claimKits.evidence],
    said: claim ? t('Claim saved') : t('Claim opened'),
    done,
    ...(claim && {
      conflict: {
        schema: Claim,
        values: (fresh: Claim) => {
          version.current = fresh.version
          return valuesOf(fresh, fresh.currency)
        },
      },
    }),
  })
  const { values } = edit
  const currency = codeOf(values.currency)
  return (
    <Form edit={edit} {...(claim ? {} : { action: t('Open claim') })} cancel={cancel}>
      {claim ? null : (
        <NativeChoice
          label={t('Kind')}
          data={claimKinds.map(value => ({ value, label: claimKindWord(value) }))}
          value={values.kind}
          choose={kind => edit.form.setFieldValue('kind', kind)}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={t('Amount')}
          min={0}
          max={100_000_000}
          allowNegative={false}
          hideControls
          decimalScale={isCurrency(currency) ? decimalsOf(currency) : 2}
          {...edit.of('amount')}
        />
        <TextInput label={t('Currency')} spellCheck={false} {...edit.of('currency')} />
        <TextInput type="date" label={t('Noticed')} {...edit.of('noticed_on')} />
        <TextInput
          type="date"
          label={t('Send by')}
          description={t('Empty: the courier’s own deadline where it is known. Check your agreement.')}
          {...edit.of('deadline_on')}
        />
      </SimpleGrid>
      <TextInput label={t('Case number')} description={t('Of the courier.')} {...edit.of('reference')} />
      <Textarea
        label={t('Description')}
        description={t('Printed in the claim for the courier.')}
        autosize
        minRows={3}
        {...edit.of('note')}
      />
    </Form>
  )
}
