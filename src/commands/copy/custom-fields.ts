/** Copies custom fields and their values. */
import { type Copying, doneOnce, reportLabel, reading, reportOn, writing } from './copying.ts'
import { fieldsIn, jsonRecord, jsonRecords, segment, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'
import type { CopiedSpace } from './places.ts'

const FIELDS = ['name', 'type', 'title', 'description', 'placeholder', 'options'] as const

/** Creates the custom fields that the target lacks. One that it has already stays as it is. */
export async function copyCustomFields(copying: Copying): Promise<void> {
  const { source, target, from, to, journal } = copying
  const fields = await reading(copying, 'Custom fields', () =>
    listed(source, `/orgs/${segment(from)}/custom-fields`),
  )
  if (!fields || fields.length === 0) return
  const path = `/orgs/${segment(to)}/custom-fields`
  const existing = await writing(copying, 'Custom fields', () => listed(target, path))
  if (!existing) return
  const types = new Map(existing.map(({ name, type }) => [jsonText(name), jsonText(type)]))
  for (const field of fields) {
    const name = jsonText(field.name)
    const what = reportLabel('Custom field', name)
    const type = types.get(name)
    if (type !== undefined && type !== field.type)
      reportOn(copying, 'unwritten', what, `the target has a custom field of this name with the type ${type}`)
    if (
      type === undefined &&
      !(await writing(copying, what, () => target('POST', path, fieldsIn(field, FIELDS))))
    )
      continue
    if (type === undefined || type === field.type) journal.record('custom-field', name, name)
  }
}

/** Copies the values of a space. */
export async function copyFieldValues(copying: Copying, space: CopiedSpace): Promise<void> {
  const { source, target, journal } = copying
  // The list of fields has the reason.
  if ([...journal.entries('custom-field')].length === 0) return
  const what = `${reportLabel('Space', space.title)}, values of custom fields`
  await doneOnce(copying, `values of ${space.id}`, async () => {
    const answer = await reading(copying, what, () =>
      source('GET', `/spaces/${segment(space.id)}/custom-fields`),
    )
    const values = jsonRecords(answer).flatMap(({ customField, value }) => {
      const name = jsonText(jsonRecord(customField).name)
      return value === undefined || journal.target('custom-field', name) === undefined
        ? []
        : [[name, { value }]]
    })
    if (values.length === 0) return
    const body = { values: Object.fromEntries(values) as object }
    await writing(copying, what, () =>
      target('PATCH', `/spaces/${segment(space.target)}/custom-fields`, body),
    )
  })
}
