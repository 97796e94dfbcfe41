/** The form of one tag rule: which orders get which tag, beside what it would have met. */
import { Button, Group, Input, Select, Stack, Switch, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { mostTags } from '#features/company/tags/tags.codes.ts'
import { tags } from '#features/company/tags/tags.contract.ts'
import { RulePreviewPanel } from '#features/orders/order-rules/RulePreviewPanel.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { RuleEditor } from '#ui/rules/RuleEditor.tsx'
import style from '#ui/rules/RuleForm.module.css'
import { tagRuleWords } from './tag-rules.codes.ts'
import { tagRules } from './tag-rules.contract.ts'
import { TagRule, TagRuleFields } from './tag-rules.schemas.ts'

interface Values extends Record<string, unknown> {
  tag_id: string | null
  conditions: Record<string, unknown>
  active: boolean
}

const valuesOf = (rule: TagRule | null): Values => ({
  tag_id: rule ? String(rule.tag_id) : null,
  conditions: rule?.conditions ?? { v: 1, all: [] },
  active: rule?.active ?? true,
})
const bodyOf = (values: Values) => ({ ...values, tag_id: values.tag_id === null ? null : Number(values.tag_id) })
const ruleOf = (conditions: Record<string, unknown>) => {
  const { rule } = parseRule(conditions, 'tag')
  return rule && ('all' in rule ? rule.all : rule.any).length > 0 ? rule : null
}

const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(TagRuleFields)
  .check(({ value, issues }) => {
    if (ruleOf(value.conditions)) return
    const complete = parseRule(value.conditions, 'tag').rule !== undefined
    issues.push({
      code: 'custom',
      path: ['conditions'],
      message: complete ? tagRuleWords.empty : 'Complete the conditions',
      input: value,
    })
  })
const parsed = (values: Values) => TagRuleFields.parse(bodyOf(values))

interface FormProps {
  rule: TagRule | null
  close: () => void
  /** A row of the list came or changed. */
  changed: () => void
  remove: ((rule: TagRule) => void) | null
}

export function TagRuleForm({ rule, close, changed, remove }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const config = useCall(company.config, {}, { fresh: 600_000 })
  const all = useCall(tags.list, { limit: mostTags }, { live: ['tag'] })
  const version = useRef(rule?.version ?? 0)
  const [client_id] = useState(() => crypto.randomUUID())
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(rule),
    save: values =>
      rule
        ? send(tagRules.update, { id: rule.id, body: { ...parsed(values), version: version.current } })
        : send(tagRules.create, { body: { ...parsed(values), client_id } }),
    refreshes: [tagRules.list, tagRules.get],
    said: t('Tag rule saved'),
    ...(rule && {
      undo: (answer: TagRule, before: Values) =>
        send(tagRules.update, { id: rule.id, body: { ...parsed(before), version: answer.version } }),
    }),
    done: () => {
      changed()
      close()
    },
    conflict: {
      schema: TagRule,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const { values } = edit
  const wrong = edit.form.errors.conditions
  return (
    <div className={style.form}>
      <Stack gap="lg" className={style.editor}>
        <Form edit={edit} {...(rule ? {} : { action: t('Add tag rule') })} cancel={close}>
          <Select
            label={t('Tag')}
            data={(all.data?.rows ?? []).map(tag => ({ value: String(tag.id), label: tag.name }))}
            searchable
            data-autofocus={rule === null || undefined}
            {...edit.of('tag_id')}
          />
          {all.data?.rows.length === 0 ? (
            <Text size="sm">
              {t('No tags yet.')} <Link to="/settings/tags">{t('Add tags')}</Link>
            </Text>
          ) : null}
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              {t('Orders that get it')}
            </Text>
            <RuleEditor
              kind="tag"
              initial={values.conditions}
              currency={config.data?.currency ?? init.settings.currency}
              countries={config.data ? [config.data.sender.country] : []}
              showErrors={Boolean(wrong)}
              onChange={json => edit.form.setFieldValue('conditions', json)}
            />
            {wrong ? <Input.Error role="alert">{wrong}</Input.Error> : null}
          </Stack>
          <Text size="sm" c="dimmed">
            {t('An order gets the tag once, when it arrives or changes. A tag that someone takes away stays away.')}
          </Text>
          <Switch label={t('In use')} description={t('Off: no order gets the tag.')} {...edit.of('active', 'checkbox')} />
        </Form>
        {rule && remove ? (
          <Group>
            <Button variant="subtle" color="brick" onClick={() => remove(rule)}>
              {t('Remove tag rule')}
            </Button>
          </Group>
        ) : null}
      </Stack>
      <RulePreviewPanel kind="tag" rule={ruleOf(values.conditions)} />
    </div>
  )
}
