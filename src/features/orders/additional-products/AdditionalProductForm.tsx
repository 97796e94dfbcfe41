/** The form of one additional product: which orders get it, how often, how it is packed, stock, customs and picture. */
import { Button, FileButton, Group, Input, MultiSelect, NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import * as z from 'zod'
import { type Locale, limits, locales } from '#contract/limits.ts'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { isOneOf } from '#domain/objects.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { RulePreviewPanel } from '#features/orders/order-rules/RulePreviewPanel.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { bytes } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { toastInfo } from '#ui/kit/toasts.ts'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { RuleEditor } from '#ui/rules/RuleEditor.tsx'
import style from '#ui/rules/RuleForm.module.css'
import { type AdditionFrequency, type AdditionHandling, additionFrequencies, additionHandlings } from './additional-products.codes.ts'
import { additionalProducts } from './additional-products.contract.ts'
import { frequencyLabels, handlingLabels } from './additional-products.labels.ts'
import { AdditionalProduct, AdditionalProductFields } from './additional-products.schemas.ts'

type Amount = number | ''
interface Values extends Record<string, unknown> {
  name: string
  barcode: string
  texts: Record<Locale, string>
  conditions: Record<string, unknown>
  per: AdditionFrequency
  qty: Amount
  handling: AdditionHandling
  bin: string
  on_pick_list: boolean
  weight_g: Amount
  hs_code: string
  /** In major units, as people write money. */
  value: Amount
  currency: string
  stock_left: Amount
  valid_from: string
  valid_to: string
  company_ids: string[]
  position: Amount
  active: boolean
}
const minorPerMajor = (currency: string): number => 10 ** (isCurrency(currency) ? decimalsOf(currency) : 2)
const noTexts: Values['texts'] = { en_GB: '', da_DK: '', de_DE: '', no_NO: '', sv_SE: '' }
const valuesOf = (product: AdditionalProduct | null, currency: string): Values => ({
  name: product?.name ?? '',
  barcode: product?.barcode ?? '',
  texts: { ...noTexts, ...product?.texts },
  conditions: product?.conditions ?? { v: 1, all: [] },
  per: product?.per ?? 'order',
  qty: product?.qty ?? 1,
  handling: product?.handling ?? 'confirm',
  bin: product?.bin ?? '',
  on_pick_list: product?.on_pick_list ?? false,
  weight_g: product?.weight_g ?? 0,
  hs_code: product?.hs_code ?? '',
  value: product && product.value !== null ? product.value / minorPerMajor(product.currency ?? '') : '',
  currency: product?.currency ?? currency,
  stock_left: product?.stock_left ?? '',
  valid_from: product?.valid_from ?? '',
  valid_to: product?.valid_to ?? '',
  company_ids: product?.company_ids?.map(String) ?? [],
  position: product?.position ?? 0,
  active: product?.active ?? true,
})

const orNull = (value: Amount): number | null => (value === '' ? null : value)
const bodyOf = (values: Values) => ({
  ...values,
  qty: orNull(values.qty),
  weight_g: values.weight_g === '' ? 0 : values.weight_g,
  value: values.value === '' ? null : Math.round(values.value * minorPerMajor(values.currency.trim().toUpperCase())),
  currency: values.value === '' ? null : values.currency,
  stock_left: orNull(values.stock_left),
  valid_from: values.valid_from || null,
  valid_to: values.valid_to || null,
  position: values.position === '' ? 0 : values.position,
  company_ids: values.company_ids.length === 0 ? null : values.company_ids.map(Number),
})
const isComplete = (conditions: unknown): boolean => parseRule(conditions, 'additional_product').rule !== undefined
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(AdditionalProductFields)
  .refine(fields => isComplete(fields.conditions), { path: ['conditions'], message: 'Complete the conditions' })
const parsed = (values: Values) => AdditionalProductFields.parse(bodyOf(values))
const refreshes = [additionalProducts.list, additionalProducts.get]

interface FormProps {
  product: AdditionalProduct | null
  mayEdit: boolean
  close: () => void
  /** A row of the list came, changed or went. */
  changed: () => void
  made?: (product: AdditionalProduct) => void
}

export function AdditionalProductForm({ product, mayEdit, close, changed, made }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const config = useCall(company.config, {}, { fresh: 600_000 })
  // State at which this form was opened: a background refresh must not make an old form look current.
  const base = useRef({ version: product?.version ?? 0, stock_left: product?.stock_left ?? null })
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(product, init.settings.currency),
    save: values => {
      const { stock_left, ...body } = parsed(values)
      if (!product) return send(additionalProducts.create, { body: { ...body, stock_left } })
      // Orders take from the stock meanwhile: it is sent only where somebody changed it.
      const counted = stock_left === base.current.stock_left ? {} : { stock_left }
      return send(additionalProducts.update, { id: product.id, body: { ...body, ...counted, version: base.current.version } })
    },
    refreshes,
    said: t('Additional product saved'),
    done: saved => {
      base.current = saved
      changed()
      made?.(saved)
    },
    conflict: {
      schema: AdditionalProduct,
      values: fresh => {
        base.current = fresh
        return valuesOf(fresh, fresh.currency ?? init.settings.currency)
      },
    },
  })
  const whole = { min: 0, allowNegative: false, hideControls: true } as const
  const { values } = edit
  const currency = values.currency.trim().toUpperCase()
  const wrong = edit.form.errors.conditions
  return (
    <div className={style.form}>
      <Stack gap="lg" className={style.editor}>
        {product ? <Picture product={product} mayEdit={mayEdit} changed={saved => (base.current.version = saved.version)} /> : null}
        <fieldset
          {...disabledBecause(!mayEdit && t('You do not have permission for this. Ask a lead.'))}
          style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}
        >
          <Form edit={edit} {...(product ? {} : { action: t('Add product'), cancel: close })}>
            <TextInput label={t('Name')} data-autofocus={product === null || undefined} {...edit.of('name')} />
            <Stack gap={4}>
              <Text size="sm" fw={500}>
                {t('Orders that meet')}
              </Text>
              <RuleEditor
                kind="additional_product"
                initial={values.conditions}
                currency={config.data?.currency ?? init.settings.currency}
                countries={config.data ? [config.data.sender.country] : []}
                showErrors={Boolean(wrong)}
                onChange={json => edit.form.setFieldValue('conditions', json)}
              />
              {wrong ? <Input.Error role="alert">{wrong}</Input.Error> : null}
            </Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <NativeChoice
                label={t('How often')}
                description={t('Orders of unknown customers do not get what goes to each customer once.')}
                data={additionFrequencies.map(value => ({ value, label: t(frequencyLabels[value]) }))}
                value={values.per}
                choose={value => isOneOf(additionFrequencies, value) && edit.form.setFieldValue('per', value)}
              />
              <WholeNumberInput label={t('Quantity')} {...whole} min={1} max={100} {...edit.of('qty')} />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <NativeChoice
                label={t('At the station')}
                data={additionHandlings.map(value => ({ value, label: t(handlingLabels[value]) }))}
                value={values.handling}
                choose={value => isOneOf(additionHandlings, value) && edit.form.setFieldValue('handling', value)}
              />
              <TextInput label={t('Barcode')} spellCheck={false} {...edit.of('barcode')} />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <WholeNumberInput
                label={t('Left in stock')}
                description={t('At 0 orders do not get it any more. Empty: not counted.')}
                {...whole}
                max={10_000_000}
                {...edit.of('stock_left')}
              />
              <WholeNumberInput
                label={t('Weight of one')}
                description={t('It counts towards the weight of the parcel.')}
                {...whole}
                max={100_000}
                suffix=" g"
                {...edit.of('weight_g')}
              />
            </SimpleGrid>
            <TextInput label={t('Bin')} description={t('The station names it.')} spellCheck={false} {...edit.of('bin')} />
            <Switch
              label={t('Take along while picking')}
              description={t('Named with the slot of its order on the list and the phone.')}
              {...edit.of('on_pick_list', 'checkbox')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput type="date" label={t('From')} description={t('Empty: from now on.')} {...edit.of('valid_from')} />
              <TextInput type="date" label={t('Until')} description={t('The last day. Empty: without an end.')} {...edit.of('valid_to')} />
            </SimpleGrid>
            {init.CompanyLookup.length > 1 ? (
              <MultiSelect
                label={t('Companies')}
                description={t('Empty: orders of all companies get it.')}
                data={init.CompanyLookup.map(one => ({ value: String(one.id), label: one.name }))}
                clearable
                searchable
                {...edit.of('company_ids')}
              />
            ) : null}
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <TextInput label={t('HS code')} spellCheck={false} {...edit.of('hs_code')} />
              <NumberInput
                label={t('Value of one')}
                min={0}
                max={1_000_000}
                allowNegative={false}
                hideControls
                fixedDecimalScale
                decimalScale={isCurrency(currency) ? decimalsOf(currency) : 2}
                {...edit.of('value')}
              />
              <TextInput label={t('Currency')} spellCheck={false} {...edit.of('currency')} />
            </SimpleGrid>
            <Text size="sm" c="dimmed">
              {t('Without HS code and value, orders that pass customs do not get it.')}
            </Text>
            <Stack gap="xs" role="group" aria-label={t('What the packer reads')}>
              <div>
                <Text size="sm" fw={500}>
                  {t('What the packer reads')}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('Beside the name, in the language of the screen; for example where to put it.')}
                </Text>
              </div>
              {locales.map(locale => (
                <TextInput
                  key={locale}
                  lang={locale.replace('_', '-')}
                  label={localeNames[locale]}
                  {...edit.form.getInputProps(`texts.${locale}`)}
                />
              ))}
            </Stack>
            <WholeNumberInput
              label={t('Rank')}
              description={t('The lowest comes first at the station.')}
              {...whole}
              max={10_000}
              {...edit.of('position')}
            />
            <Switch label={t('In use')} description={t('Off: orders do not get it.')} {...edit.of('active', 'checkbox')} />
          </Form>
        </fieldset>
        {product && mayEdit ? (
          <Group>
            <Remove product={product} close={close} changed={changed} />
          </Group>
        ) : null}
      </Stack>
      {mayEdit ? (
        <RulePreviewPanel
          kind="additional_product"
          rule={parseRule(values.conditions, 'additional_product').rule ?? null}
          company_ids={values.company_ids.length === 0 ? null : values.company_ids.map(Number)}
        />
      ) : null}
    </div>
  )
}

function Remove({ product, close, changed }: { product: AdditionalProduct; close: () => void; changed: () => void }) {
  const t = useT()
  const remove = useSend(additionalProducts.remove, {
    refreshes: [additionalProducts.list],
    said: t('{{name}} removed', { name: product.name }),
    done: () => {
      close()
      changed()
    },
  })
  const ask = async () => {
    const sure = await confirm({
      title: t('Remove {{name}}?', { name: product.name }),
      body: t('Orders that wait for it go without it. Orders in which it is packed keep it in their history.'),
      action: t('Remove product'),
      danger: true,
    })
    if (sure) remove.mutate({ id: product.id })
  }
  return (
    <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => void ask()}>
      {t('Remove product')}
    </Button>
  )
}

function Picture({
  product,
  mayEdit,
  changed,
}: {
  product: AdditionalProduct
  mayEdit: boolean
  changed: (saved: AdditionalProduct) => void
}) {
  const t = useT()
  const upload = useSend(additionalProducts.setPicture, { refreshes, said: t('Picture saved'), done: changed })
  const remove = useSend(additionalProducts.removePicture, { refreshes, said: t('Picture removed'), done: changed })
  const take = (file: File | null) => {
    if (!file) return
    if (file.size > limits.picture) {
      toastInfo(t('{{name}} is larger than {{limit}}', { name: file.name, limit: bytes(limits.picture) }))
      return
    }
    upload.mutate({ id: product.id, upload: file })
  }
  return (
    <Group wrap="nowrap" align="end">
      <ImageView
        from={product.has_image ? { call: additionalProducts.picture, input: { id: product.id } } : null}
        sku={product.barcode ?? ''}
        name={product.name}
        size={160}
        version={product.version}
      />
      {mayEdit ? (
        <Stack gap="xs">
          <FileButton onChange={take} accept="image/jpeg,image/png,image/webp,image/avif,image/gif">
            {props => (
              <Button {...props} variant="default" loading={upload.isPending}>
                {product.has_image ? t('Replace picture') : t('Add picture')}
              </Button>
            )}
          </FileButton>
          {product.has_image ? (
            <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => remove.mutate({ id: product.id })}>
              {t('Remove picture')}
            </Button>
          ) : null}
        </Stack>
      ) : null}
    </Group>
  )
}
