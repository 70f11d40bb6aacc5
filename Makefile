# From a bare checkout: `make run` starts the site, `make test` runs the suite.
# uv is used where it is installed; where it is not, it goes into .uv/, which holds only uv.

UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --frozen
SYNC := $(UV) sync --frozen --quiet

.PHONY: run dev test lint format bench clean

run: .venv/.runtime
	@$(UV) run --frozen --no-sync manage.py up

dev: .venv/.ready
	@DEBUG=on $(UV) run --frozen --no-sync manage.py up --dev

test: .venv/.ready
	@$(UV) run --frozen --no-sync python -m pytest $(ARGS)

lint: .venv/.ready
	@$(UV) run --frozen --no-sync ruff check .
	@$(UV) run --frozen --no-sync ruff format --check .
	@$(UV) run --frozen --no-sync lint-imports
	@$(UV) run --frozen --no-sync mypy podcast feeds episodes
	@$(UV) run --frozen --no-sync djlint --check --quiet templates

format: .venv/.ready
	@$(UV) run --frozen --no-sync ruff check --fix --quiet .
	@$(UV) run --frozen --no-sync ruff format .

bench: .venv/.ready
	@$(UV) run --frozen --no-sync python -m bench $(ARGS)

clean:
	rm -rf .venv .uv .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Python 3.13 is preferred (.python-version); any 3.12 or newer that uv finds will do.
.venv/.runtime: uv.lock pyproject.toml $(if $(filter .uv/%,$(UV)),.uv/bin/uv)
	@test -d .venv || $(UV) venv --quiet --python 3.13 2>/dev/null || $(UV) venv --quiet --python '>=3.12'
	@$(SYNC) --no-dev --inexact
	@touch $@

.venv/.ready: uv.lock pyproject.toml .venv/.runtime
	@$(SYNC) --all-extras
	@touch $@

.uv/bin/uv:
	@echo "uv is not installed: putting it into .uv/"
	@python3 -m venv .uv
	@.uv/bin/python -m pip install --quiet --disable-pip-version-check uv
