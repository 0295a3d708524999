#!/bin/sh
# HITMASK_SOURCE names a checkout to build instead of a new clone.
git clone --depth 1 "${HITMASK_SOURCE:-https://github.com/hitmask/hitmask.git}" hitmask-source
cd hitmask-source && cargo build --locked --release --bin hitmask
echo $? > ~/install-exit-status
cd ~

cat > hitmask <<'END'
#!/bin/sh
./hitmask-source/target/release/hitmask "$@" > "$LOG_FILE" 2>&1
echo $? > ~/test-exit-status
END
chmod +x hitmask
