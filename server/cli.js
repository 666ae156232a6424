#!/usr/bin/env node
'use strict';

const { runCommand } = require('./cli/command.js');

if (require.main === module) runCommand(process.argv.slice(2));
