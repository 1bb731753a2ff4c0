import tseslint from 'typescript-eslint';

const ROOMS = [
  'app',
  'components',
  'contract',
  'rl',
  'stats',
  'server',
  'workers',
  'prisma',
  'e2e',
  'bench',
  'scripts',
];

/** What each room may import, besides itself and `contract`. The one table of docs/architecture.md. */
const MAY_IMPORT = {
  contract: [],
  rl: [],
  stats: [],
  components: ['stats', 'rl/scaffolds', 'rl/random'],
  server: ['stats', 'rl/scaffolds', 'prisma'],
  workers: ['rl', 'stats'],
  app: ['server', 'components'],
  prisma: [],
};

function roomRule(room) {
  const allowed = MAY_IMPORT[room];
  const banned = ROOMS.filter((other) => other !== room && other !== 'contract' && !allowed.includes(other));
  const group = banned.flatMap((other) => {
    const exceptions = allowed.filter((path) => path.startsWith(`${other}/`));
    return [
      `@/${other}/**`,
      ...exceptions.map((path) => `!@/${path}/**`),
      ...exceptions.map((path) => `!@/${path}`),
    ];
  });
  const patterns = [
    {
      group,
      message: `${room}/ may import contract/${allowed.length ? ' and ' + allowed.join(', ') : ''} only`,
    },
    {
      group: ROOMS.map((other) => `../**/${other}/**`),
      message: "another room is imported as '@/room/file'",
    },
  ];
  if (room !== 'server' && room !== 'prisma')
    patterns.push({
      group: ['@prisma/*', 'pg'],
      message: 'Prisma and pg are named in server/ and prisma/ only',
    });
  return ['error', { patterns }];
}

const noEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'process.env is read in server/env.ts, workers/env.ts and scripts/ only',
};
const impure = [
  noEnv,
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'draw from the generator passed in',
  },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'rl/ and stats/ read no clock',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'rl/ and stats/ read no clock',
  },
  {
    selector: "MemberExpression[object.name='performance'][property.name='now']",
    message: 'rl/ and stats/ read no clock',
  },
  { selector: "CallExpression[callee.name='fetch']", message: 'rl/ and stats/ use no network' },
  {
    selector: 'ImportDeclaration[source.value=/^(node:)?(fs|net|http|https|child_process|os)(\\/|$)/]',
    message: 'rl/ and stats/ use no file, network or process',
  },
];

export default tseslint.config(
  {
    ignores: [
      'node_modules/**',
      '.next/**',
      'server/generated/**',
      'next-env.d.ts',
      'models/**',
      '.stepscope/**',
      '**/.stepscope/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['warn', { max: 120, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'prefer-const': 'error',
      'no-restricted-syntax': ['error', noEnv],
    },
  },
  ...Object.keys(MAY_IMPORT).map((room) => ({
    files: [`${room}/**/*.ts`, `${room}/**/*.tsx`],
    ignores: ['**/*.test.ts', '**/*.test.tsx'],
    rules: { 'no-restricted-imports': roomRule(room) },
  })),
  {
    files: ['rl/**/*.ts', 'stats/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...impure] },
  },
  {
    files: [
      'server/env.ts',
      'workers/env.ts',
      'scripts/**',
      '*.config.*',
      'prisma.config.ts',
      '**/*.test.ts',
      '**/*.test.tsx',
      'e2e/**',
      'bench/**',
    ],
    rules: { 'no-restricted-syntax': 'off', 'max-lines-per-function': 'off' },
  },
);
