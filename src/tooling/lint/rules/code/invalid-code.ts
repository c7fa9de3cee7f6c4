import { defineCompiledRule } from '../compiled.ts'

/** Code that is no JavaScript. */
export const invalidCode = defineCompiledRule({
  code: 'invalid-code',
  severity: 'warning',
  title: 'Code that is no JavaScript',
  description:
    'An expression that is marked as code can not be parsed, so that the variable is set to the text itself; or the path of a response mapping is no expression, so that its variable keeps its value. Only what is certainly wrong is reported: texts that are no code are fine where nothing says that they are some.',
})
