/** Forms: one schema for both sides, errors at their fields, nothing typed is lost, and Save says what it is doing. */
import { Alert, Button, Group, type MantineThemeOverride, MantineThemeProvider } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type * as z from 'zod'
import type { Call } from '#contract/endpoint.ts'
import { useBlockReload } from '#ui/query/app-config.ts'
import { CallError } from '#ui/query/call-error.ts'
import { useCommand } from '#ui/query/calls.ts'
import { confirm } from './Confirm.tsx'
import { ErrorDetails } from './ErrorDetails.tsx'
import style from './Form.module.css'
import { fieldErrors } from './form-labels.ts'
import { number } from './format.ts'
import { errorReference, errorSentence, toastWithUndo } from './toasts.ts'
import { useT } from './translate.ts'

type Values = Record<string, unknown>
type MantineForm<V extends Values> = ReturnType<typeof useForm<V>>

interface EditOptions<V extends Values, Answer, Fresh> {
  /** The call's body schema, or the part of it that the form fills. */
  schema: z.ZodType
  /** The saved state; a form starts when its data is there. */
  initial: V
  /** What was written over it before, in a draft. */
  begun?: V
  /** Called with every change, so that a draft can be kept. */
  changed?: (values: V, dirty: boolean) => void
  /** Sends the values. */
  save: (values: V) => Promise<Answer>
  refreshes?: readonly Call[]
  said?: string
  done?: (answer: Answer, values: V) => void
  /** Saves what stood there before over the answer of a save. With it, what was saved can be taken back for ten seconds. */
  undo?: (answer: Answer, before: V) => Promise<unknown>
  /** Turns the fresh state that a 409 brings into values; a state that does not fit the schema is not offered. */
  conflict?: { schema: z.ZodType<Fresh>; values: (fresh: Fresh) => V }
}

export interface Edit<V extends Values> {
  form: MantineForm<V>
  /** The props of a field: `<TextInput label={t('Name')} {...edit.of('name')} />`; for a checkbox or switch `edit.of('active', 'checkbox')`. */
  of: (field: string & keyof V, type?: 'checkbox') => ReturnType<MantineForm<V>['getInputProps']>
  values: V
  dirty: boolean
  saving: boolean
  error: CallError | null
  /** What is wrong in a place that is not on the page. */
  unplaced: readonly string[]
  /** How many saves found a mistake; see `useOpenWrong`. */
  refusals: number
  /** The fresh state that another person saved meanwhile. */
  takeTheirs: (() => void) | null
  save: () => void
  reset: () => void
  /** Set by `Form`, so that the first wrong field can be focused. */
  element: { current: HTMLFormElement | null }
}

/**
 * An edit of one thing.
 *
 *     const edit = useEdit({ schema: UserBody, initial: user, save: body => send(users.update, { id: user.id, body }), refreshes: [users.list] })
 */
export function useEdit<V extends Values, Answer, Fresh>(options: EditOptions<V, Answer, Fresh>): Edit<V> {
  const t = useT()
  const element = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<CallError | null>(null)
  const input: Parameters<typeof useForm<V>>[0] = {
    mode: 'controlled',
    initialValues: options.begun ?? options.initial,
    initialDirty: options.begun ? differing(options.begun, options.initial) : {},
    onValuesChange: (values: V) => options.changed?.(values, form.isDirty()),
    validate: values => fieldErrors(options.schema, values),
    validateInputOnBlur: true,
  }
  const form = withErrorsOfParts(useForm<V>(input), element)
  // Dirty is what differs from the saved state.
  useState(() => form.setInitialValues(options.initial))
  const send = useCommand(options.save, {
    quiet: true,
    ...(options.refreshes ? { refreshes: options.refreshes } : {}),
    ...(options.said && !options.undo ? { said: options.said } : {}),
  })
  const takeBack = useCommand(({ answer, before }: { answer: Answer; before: V }) => options.undo?.(answer, before) ?? Promise.resolve(), {
    ...(options.refreshes ? { refreshes: options.refreshes } : {}),
    said: t('The change is undone'),
    done: (_answer, { before }) => {
      if (form.isDirty()) return
      form.setInitialValues(before)
      form.setValues(before)
      form.resetDirty(before)
    },
  })
  const dirty = form.isDirty()
  // State follows a key that is held or pressed twice only after the next paint.
  const running = useRef(false)
  const [unplaced, setUnplaced] = useState<string[]>([])

  const [refusals, setRefusals] = useState(0)

  const showErrors = (errors: Record<string, string>) => {
    setRefusals(count => count + 1)
    // The errors are on the page only after the next paint.
    setTimeout(() => {
      if (!element.current) return
      const read = element.current.textContent
      setUnplaced([...new Set(Object.values(errors))].filter(sentence => !read.includes(sentence)))
      element.current.querySelector<HTMLElement>('[aria-invalid="true"], [data-error="true"] input')?.focus()
    }, 30)
  }

  const save = async () => {
    if (running.current) return
    setUnplaced([])
    const errors = fieldErrors(options.schema, form.getValues())
    form.setErrors(errors)
    if (Object.keys(errors).length > 0) {
      showErrors(errors)
      return
    }
    setError(null)
    running.current = true
    const values = form.getValues()
    const before = options.initial
    try {
      const answer = await send.mutateAsync(values)
      form.setInitialValues(values)
      form.resetDirty(values)
      options.done?.(answer, values)
      if (options.undo) toastWithUndo(options.said ?? t('Saved'), () => takeBack.mutate({ answer, before }))
    } catch (failure) {
      const refused = failure instanceof CallError ? failure : new CallError(444)
      const known = serverErrors(refused, values)
      form.setErrors(known)
      setError(Object.keys(known).length > 0 && Object.keys(known).length === Object.keys(refused.fields).length ? null : refused)
      showErrors(known)
    } finally {
      running.current = false
    }
  }

  const { conflict } = options
  const fresh = error && conflict?.schema.safeParse(error.current)
  return {
    form,
    of: (field, type) => form.getInputProps(field, type ? { type } : {}),
    values: form.getValues(),
    dirty,
    saving: send.isPending,
    error,
    unplaced: dirty || error ? unplaced : [],
    refusals,
    takeTheirs:
      conflict && fresh?.success
        ? () => {
            const theirs = conflict.values(fresh.data)
            form.setInitialValues(theirs)
            form.resetDirty(theirs)
            form.setValues(theirs)
            setError(null)
          }
        : null,
    save: () => void save(),
    reset: () => {
      form.reset()
      setError(null)
      options.changed?.(form.getValues(), false)
    },
    element,
  }
}

/**
 * A field of several values shows what is wrong with one of them. A click on Save says what is wrong by itself: an error that appears when the
 * field loses the focus would move the button from under the pointer.
 */
function withErrorsOfParts<V extends Values>(form: MantineForm<V>, element: { current: HTMLFormElement | null }): MantineForm<V> {
  const getInputProps: MantineForm<V>['getInputProps'] = (path, options) => {
    const props = form.getInputProps(path, options)
    const parts = Object.keys(form.errors).filter(one => one.startsWith(`${path}.`))
    const error = props.error ?? form.errors[parts[0] ?? '']
    return {
      ...props,
      error,
      // A password field of the kit does not say by itself that it is wrong.
      ...(error ? { 'aria-invalid': true } : {}),
      onChange: (value: unknown) => {
        for (const part of parts) form.clearFieldError(part)
        props.onChange(value)
      },
      onBlur: (event: FocusEvent | undefined) => {
        const next = event?.relatedTarget
        if (!(next instanceof HTMLButtonElement && next.type === 'submit' && next.form === element.current)) props.onBlur(event)
      },
    }
  }
  return { ...form, getInputProps }
}

/**
 * Of parts of which one is open at a time, such as languages, a save that finds a mistake opens the part in which it is. One that is corrected
 * opens no other part.
 */
export function useOpenWrong<Part extends string>(
  { refusals }: { refusals: number },
  wrong: readonly Part[],
  open: Part,
  choose: (part: Part) => void,
): void {
  const [seen, setSeen] = useState(0)
  if (refusals === seen) return
  setSeen(refusals)
  if (wrong[0] && !wrong.includes(open)) choose(wrong[0])
}

const differing = (values: Values, saved: Values): Record<string, boolean> =>
  Object.fromEntries(
    Object.keys(values).flatMap(field => (JSON.stringify(values[field]) === JSON.stringify(saved[field]) ? [] : [[field, true]])),
  )

/** The server names fields as the body has them: `body.name` or `name`. */
function serverErrors(error: CallError, values: Values): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const [path, sentence] of Object.entries(error.fields)) {
    const field = path.replace(/^body\./, '')
    if (field.replace(/\..*$/s, '') in values)
      errors[field] = errorSentence(new CallError(error.status, sentence, { values: error.values }))
  }
  return errors
}

export interface FormProps<V extends Values> {
  edit: Edit<V>
  children: ReactNode
  /** The verb and the thing; "Save" unless given. */
  action?: string
  /** Beside Save: a delete button, a test button. */
  beside?: ReactNode
  /** "Changed by Mette, 10:42". */
  note?: ReactNode
  /** Leaving with unsaved changes is not asked about (a filter, a search). */
  unguarded?: boolean
  cancel?: () => void
}

/** A number out of its bounds stays as it was typed, and its field says what the bounds are. */
const unclamped: MantineThemeOverride = {
  components: { NumberInput: { defaultProps: () => ({ decimalSeparator: number(0.5, 1).charAt(1), clampBehavior: 'none' }) } },
}

/** The form element: fields inside, the actions below at the right with the main one last, and a guard against losing what was typed. */
export function Form<V extends Values>({ edit, children, action, beside, note, unguarded, cancel }: FormProps<V>) {
  const t = useT()
  const guarded = edit.dirty && !unguarded && !edit.saving
  useBlockReload(edit.dirty || edit.saving, 'a form with changes')
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const here = [current.pathname, JSON.stringify(current.search)].join('?')
      if (!guarded || here === [next.pathname, JSON.stringify(next.search)].join('?')) return false
      return !(await confirm({
        title: t('Leave without saving?'),
        body: t('What you changed here is not saved.'),
        action: t('Leave without saving'),
        danger: true,
      }))
    },
    enableBeforeUnload: () => guarded,
  })
  // What exists already is saved only when something changed; what is being made always has its button.
  const acts = edit.dirty || edit.saving || edit.error !== null || cancel !== undefined || action !== undefined
  const form = useRef<HTMLFormElement>(null)
  // The element belongs to the edit, which focuses the first wrong field in it.
  useEffect(() => {
    edit.element.current = form.current
  })
  return (
    <form
      ref={form}
      className={style.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        event.stopPropagation()
        edit.save()
      }}
      onKeyDown={event => {
        if ((event.key === 's' || event.key === 'Enter') && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          edit.save()
        }
      }}
    >
      <MantineThemeProvider theme={unclamped}>
        <div className={style.fields}>{children}</div>
      </MantineThemeProvider>
      {edit.unplaced.length > 0 ? (
        <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={edit.unplaced.join(' · ')} role="alert" />
      ) : null}
      {edit.error ? (
        <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={errorSentence(edit.error)} role="alert">
          {edit.takeTheirs ? (
            <Button mb="xs" size="compact-sm" variant="default" onClick={edit.takeTheirs}>
              {t('Show what is saved now')}
            </Button>
          ) : null}
          <ErrorDetails reference={errorReference(edit.error)} />
        </Alert>
      ) : null}
      <div className={`${style.foot} ${acts ? style.acting : ''}`}>
        {beside ? <Group gap="xs">{beside}</Group> : null}
        <span className={style.note} role="status">
          {edit.dirty ? t('Not saved yet') : note}
        </span>
        {acts ? (
          <Group gap="xs" justify="flex-end">
            {cancel ? (
              <Button variant="default" onClick={cancel}>
                {t('Cancel')}
              </Button>
            ) : edit.dirty ? (
              <Button variant="default" onClick={edit.reset}>
                {t('Discard changes')}
              </Button>
            ) : null}
            <Button type="submit" loading={edit.saving}>
              {action ?? t('Save')}
            </Button>
          </Group>
        ) : null}
      </div>
    </form>
  )
}
