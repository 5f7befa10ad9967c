import { Type } from 'typebox'
import { ReasonOfMessage } from '../../common.ts'

/** The fields of what Markdown does not show as its author meant it. */
export const READING_PROBLEM_FIELDS = {
  line: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'The line of the Markdown, from 1; absent if you sent no Markdown, or if the problem is about all of it',
    }),
  ),
  message: Type.String(),
  ...ReasonOfMessage,
}

export const ReadingProblemSchema = Type.Object(READING_PROBLEM_FIELDS, { title: 'ReadingProblem' })
