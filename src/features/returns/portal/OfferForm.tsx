/** What customers may ask for in the return portal, and how they may send. */
import { Checkbox, Group, NumberInput, Select, Stack } from '@mantine/core'
import { useRef } from 'react'
import { decimalsOf } from '#domain/money.ts'
import { methodLabels, outcomeLabels } from '#features/returns/returns/return-policy.labels.ts'
import { portalMethods } from '#features/returns/returns/returns.codes.ts'
import { type Edit, Form, useEdit } from '#ui/kit/Form.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { labelMissing, portalOutcomes } from './portal.codes.ts'
import { portal } from './portal.contract.ts'
import { PortalOffer } from './portal.schemas.ts'

const OfferFields = PortalOffer.omit({ version: true }).refine(({ methods, label }) => !methods.includes('label') || label !== null, {
  path: ['label'],
  message: labelMissing,
})
type Values = Omit<PortalOffer, 'version'>

export function OfferForm() {
  const offer = useCall(portal.offer, {}, { live: ['return_portal'] })
  return (
    <QueryState of={offer} shape="form">
      {one => <Fields key={one.version === 0 ? 'new' : 'set'} offer={one} />}
    </QueryState>
  )
}

function Fields({ offer: { version: seen, ...offer } }: { offer: PortalOffer }) {
  const t = useT()
  const version = useRef(seen)
  const edit = useEdit({
    schema: OfferFields,
    initial: offer,
    save: values => send(portal.setOffer, { body: { ...values, version: version.current } }),
    refreshes: [portal.offer],
    said: t('Offer saved'),
    done: saved => {
      version.current = saved.version
    },
    conflict: {
      schema: PortalOffer,
      values: ({ version: fresh, ...values }) => {
        version.current = fresh
        return values
      },
    },
  })
  return (
    <Form edit={edit}>
      <div>
        <SettingsSection title={t('Outcomes')} help={t('What customers may ask for. With one alone they are not asked.')}>
          <Checkbox.Group aria-label={t('Outcomes')} {...edit.of('outcomes')}>
            <Stack gap="xs">
              {portalOutcomes.map(value => (
                <Checkbox key={value} value={value} label={t(outcomeLabels[value])} />
              ))}
            </Stack>
          </Checkbox.Group>
        </SettingsSection>
        <SettingsSection title={t('Ways to send')} help={t('How customers get their items to you.')}>
          <Checkbox.Group aria-label={t('Ways to send')} {...edit.of('methods')}>
            <Group gap="lg">
              {portalMethods.map(value => (
                <Checkbox key={value} value={value} label={t(methodLabels[value])} />
              ))}
            </Group>
          </Checkbox.Group>
        </SettingsSection>
        {edit.values.methods.includes('label') ? <LabelFields edit={edit} /> : null}
      </div>
    </Form>
  )
}

/** By which courier the labels are made, and what they cost the customer. */
function LabelFields({ edit }: { edit: Edit<Values> }) {
  const t = useT()
  const { currency } = useSignedIn().init.settings
  const couriers = useCall(portal.labelMethods, {}, { fresh: 60_000 })
  const unit = 10 ** decimalsOf(currency)
  const { label } = edit.values
  const options = (couriers.data ?? []).flatMap(({ agent_code, name, methods }) =>
    methods.map(method => ({ value: `${agent_code}/${method.code}`, label: `${t(name)}: ${t(method.name)}` })),
  )
  const price = label?.price ?? 0
  return (
    <SettingsSection
      title={t('Courier label')}
      help={t('Customers print it. Nothing is charged where the shop or the courier is at fault.')}
    >
      <Select
        label={t('Courier and method')}
        data={options}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('Nothing found')}
        value={label ? `${label.agent_code}/${label.shipping_method}` : null}
        error={edit.form.errors.label}
        onChange={value => {
          if (value === null) return
          const at = value.indexOf('/')
          edit.form.setFieldValue('label', { agent_code: value.slice(0, at), shipping_method: value.slice(at + 1), price })
        }}
      />
      <NumberInput
        label={t('Price for the customer')}
        suffix={` ${currency}`}
        min={0}
        decimalScale={decimalsOf(currency)}
        allowNegative={false}
        disabled={label === null}
        value={price / unit}
        onChange={value => label && edit.form.setFieldValue('label', { ...label, price: Math.round((Number(value) || 0) * unit) })}
      />
    </SettingsSection>
  )
}
